// Generated from docs/openapi.json by "npm run generate".
/** Where callers find each operation: `agents.tools.add` is the operation `addAgentTool`. */
export const resourceTree = {
  /** Agents and their versions, and the models, functions and workflow types that they may use. */
  agents: { create: 'createAgent', get: 'getAgent', list: 'listAgents', update: 'updateAgent', delete: 'deleteAgent', configuration: 'getAgentConfiguration', connectors: { list: 'listAttachedConnectors', attach: 'attachConnector', detach: 'detachConnector' }, provision: 'provisionAgent', recommendedTools: 'getRecommendedTools', tools: { get: 'getAgentTool', list: 'listAgentTools', update: 'changeAgentTool', add: 'addAgentTool', addAll: 'addAgentTools', remove: 'removeAgentTool', accept: 'acceptAgentTool' }, versions: { get: 'getAgentVersion', list: 'listAgentVersions' }, models: 'listModels' },
  /** Figures of turns, tool calls, model calls and usage. */
  analytics: { models: 'getModelAnalytics', tools: 'getToolAnalytics', turns: 'getTurnAnalytics' },
  /** Keys of the workspace with their scopes. */
  apiKeys: { create: 'createApiKey', list: 'listApiKeys', revoke: 'revokeApiKey' },
  /** Approvals, questions and client tools for which a turn waits, and approvals that are remembered. */
  approvalGrants: { list: 'listApprovalGrants', revoke: 'revokeApprovalGrant' },
  /** The append-only log of what was done in the workspace. */
  auditEvents: { list: 'listAuditEvents', verify: 'verifyAuditEvents' },
  /** Files that tools have returned. */
  blobs: { get: 'getBlob' },
  /** Limits of spending, and the prices by which calls are counted. */
  budgets: { create: 'createBudget', get: 'getBudget', list: 'listBudgets', update: 'updateBudget', delete: 'deleteBudget', listShares: 'listBudgetShares' },
  /** Stored, encrypted credentials for providers and MCP servers, and the tools behind them. */
  connections: { create: 'createConnection', get: 'getConnection', list: 'listConnections', update: 'updateConnection', delete: 'deleteConnection', authorize: 'authorizeConnection', tools: 'listConnectionTools', test: 'testConnection' },
  /** Registered MCP servers whose tools are pushed to agents. */
  connectors: { create: 'createConnector', get: 'getConnector', list: 'listConnectors', delete: 'deleteConnector' },
  /** Ordered messages with one agent, their contexts and their forks. */
  conversations: { create: 'createConversation', get: 'getConversation', list: 'listConversations', update: 'updateConversation', delete: 'deleteConversation', compare: 'compareConversations', context: 'getConversationContext', events: 'streamConversationEvents', fork: 'forkConversation', messages: 'listMessages' },
  /** A message and the steps that answer it: start, read, cancel, steer and withdraw. */
  turns: { get: 'getTurn', list: 'listTurns', find: 'findTurns', events: 'streamTurnEvents', modelCalls: 'listModelCalls', toolCall: 'getToolCall' },
  /** Uploads that messages and tools refer to. */
  files: { create: 'createFile', get: 'getFile', list: 'listFiles', delete: 'deleteFile', content: 'getFileContent' },
  /** Agents and their versions, and the models, functions and workflow types that they may use. */
  functions: { list: 'listFunctions' },
  /** Checks for load balancers and orchestrators. */
  health: { live: 'getApiLiveness', ready: 'getApiReadiness' },
  /** Messages of agents to people. */
  inbox: { get: 'getInboxMessage', list: 'listInbox', update: 'updateInboxMessage' },
  /** Documents, their index, and searches in it. */
  knowledgeBases: { create: 'createKnowledgeBase', get: 'getKnowledgeBase', list: 'listKnowledgeBases', update: 'updateKnowledgeBase', delete: 'deleteKnowledgeBase', documents: { create: 'createDocument', get: 'getDocument', list: 'listDocuments', delete: 'deleteDocument', reprocess: 'reprocessDocument' }, query: 'queryKnowledgeBase' },
  /** A message and the steps that answer it: start, read, cancel, steer and withdraw. */
  messages: { steer: 'steerMessage', withdraw: 'withdrawMessage' },
  /** Approvals, questions and client tools for which a turn waits, and approvals that are remembered. */
  pendingActions: { get: 'getPendingAction', list: 'listPendingActions', decide: 'decidePendingAction', createLink: 'linkPendingAction' },
  /** Tokens for browsers, and people who sign in at an identity provider. */
  people: { get: 'getPerson', list: 'listPeople', update: 'changePerson' },
  /** Limits of spending, and the prices by which calls are counted. */
  prices: { get: 'getPrices', set: 'setPrices' },
  /** The integration catalogue with its operations, and imported APIs. */
  providers: { get: 'getProvider', list: 'listProviders', delete: 'deleteProvider', import: 'importProvider' },
  /** Recorded turns run again with another agent version, and the report that compares them. */
  replays: { create: 'createReplay', get: 'getReplay', list: 'listReplays', cancel: 'cancelReplay', cases: { get: 'getReplayCase', list: 'listReplayCases' }, pause: 'pauseReplay', report: 'getReplayReport', resume: 'resumeReplay' },
  /** Notes, prompts, standards, memories and other things with versions that people and agents share. */
  resources: { create: 'createResource', get: 'getResource', list: 'listResources', update: 'updateResource', delete: 'deleteResource', schema: 'getResourceSchema', restore: 'restoreResource', versions: 'listResourceVersions' },
  /** Stored procedures of several steps, their runs and the events that they wait for. */
  routines: { create: 'createRoutine', get: 'getRoutine', list: 'listRoutines', update: 'updateRoutine', delete: 'deleteRoutine', emit: 'emitRoutineEvent', start: 'startRoutineRun' },
  /** Stored procedures of several steps, their runs and the events that they wait for. */
  routineRuns: { get: 'getRoutineRun', list: 'listRoutineRuns', pause: 'pauseRoutineRun', resume: 'resumeRoutineRun', steps: 'listRoutineSteps', stop: 'stopRoutineRun' },
  /** Turns, routines and replays that start at set times. */
  schedules: { create: 'createSchedule', get: 'getSchedule', list: 'listSchedules', update: 'updateSchedule', delete: 'deleteSchedule', backfill: 'backfillSchedule', pause: 'pauseSchedule', resume: 'resumeSchedule', run: 'runSchedule', runs: { list: 'listScheduleRuns' } },
  /** Tokens for browsers, and people who sign in at an identity provider. */
  session: { get: 'getSession', open: 'openSession', end: 'endSession' },
  /** Instructions and files for certain tasks in the open Agent Skills format, with versions that agents use. */
  skills: { get: 'getSkill', list: 'listSkills', delete: 'deleteSkill', import: 'importSkill', versions: { get: 'getSkillVersion', list: 'listSkillVersions', file: 'getSkillFile' } },
  /** Several agents at work on one goal with shared state. */
  swarms: { create: 'createSwarm', get: 'getSwarm', list: 'listSwarms', update: 'updateSwarm', end: 'endSwarm', pause: 'pauseSwarm', resume: 'resumeSwarm' },
  /** The decoding of payloads for the Temporal Web UI. */
  codec: { decode: 'decodePayloads', encode: 'encodePayloads' },
  /** Webhooks of vendors that start turns and routines. */
  triggers: { create: 'createTrigger', get: 'getTrigger', list: 'listTriggers', update: 'updateTrigger', delete: 'deleteTrigger', deliveries: { get: 'getTriggerDelivery', list: 'listTriggerDeliveries', retry: 'retryTriggerDelivery' }, rotateSecret: 'rotateTriggerSecret' },
  /** Figures of turns, tool calls, model calls and usage. */
  usage: { get: 'getUsage' },
  /** Tokens for browsers, and people who sign in at an identity provider. */
  userTokens: { create: 'createUserToken', endAll: 'endUserTokens', end: 'endUserToken' },
  /** Signed messages about turns to other programs, with their deliveries. */
  webhooks: { create: 'createWebhook', get: 'getWebhook', list: 'listWebhooks', update: 'updateWebhook', delete: 'deleteWebhook', deliveries: { get: 'getWebhookDelivery', list: 'listWebhookDeliveries', resend: 'resendWebhookDelivery' }, rotateSecret: 'rotateWebhookSecret' },
  /** Agents and their versions, and the models, functions and workflow types that they may use. */
  workflowTypes: { list: 'listWorkflowTypes' },
  /** Keys of the workspace with their scopes. */
  workspace: { get: 'getWorkspace' },
} as const;
