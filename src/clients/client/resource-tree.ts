import type { operations } from './generated/operations.ts';

type OperationId = keyof typeof operations;

interface Branch {
  [name: string]: OperationId | Branch;
}

/** Where callers find each operation: `agents.tools.add` is the operation `addAgentTool`. */
export const resourceTree = {
  /** The agents of the workspace. A change makes a new version; turns keep the one that they began with. */
  agents: {
    create: 'createAgent',
    get: 'getAgent',
    list: 'listAgents',
    update: 'updateAgent',
    delete: 'deleteAgent',
    provision: 'provisionAgent',
    configuration: 'getAgentConfiguration',
    recommendedTools: 'getRecommendedTools',
    models: 'listModels',
    versions: { get: 'getAgentVersion', list: 'listAgentVersions' },
    tools: {
      add: 'addAgentTool',
      addAll: 'addAgentTools',
      get: 'getAgentTool',
      list: 'listAgentTools',
      update: 'changeAgentTool',
      remove: 'removeAgentTool',
      accept: 'acceptAgentTool',
    },
    connectors: { attach: 'attachConnector', list: 'listAttachedConnectors', detach: 'detachConnector' },
  },
  /** Stored credentials for providers and MCP servers. */
  connections: {
    create: 'createConnection',
    get: 'getConnection',
    list: 'listConnections',
    update: 'updateConnection',
    delete: 'deleteConnection',
    authorize: 'authorizeConnection',
    test: 'testConnection',
    tools: 'listConnectionTools',
  },
  /** MCP servers and those of their tools that agents may be given. */
  connectors: {
    create: 'createConnector',
    get: 'getConnector',
    list: 'listConnectors',
    delete: 'deleteConnector',
  },
  /** The conversations of the workspace. */
  conversations: {
    create: 'createConversation',
    get: 'getConversation',
    list: 'listConversations',
    update: 'updateConversation',
    delete: 'deleteConversation',
    fork: 'forkConversation',
    compare: 'compareConversations',
    messages: 'listMessages',
    context: 'getConversationContext',
    events: 'streamConversationEvents',
  },
  /** Batches of recorded turns that are run again. */
  replays: {
    create: 'createReplay',
    get: 'getReplay',
    list: 'listReplays',
    pause: 'pauseReplay',
    resume: 'resumeReplay',
    cancel: 'cancelReplay',
    report: 'getReplayReport',
    cases: { list: 'listReplayCases', get: 'getReplayCase' },
  },
  /** Notes, prompts, standards, projects, teams, agents, API descriptions and memories, with their versions. */
  resources: {
    create: 'createResource',
    get: 'getResource',
    list: 'listResources',
    update: 'updateResource',
    delete: 'deleteResource',
    restore: 'restoreResource',
    versions: 'listResourceVersions',
    schema: 'getResourceSchema',
  },
  /** Webhooks of vendors that start turns and runs of routines. */
  triggers: {
    create: 'createTrigger',
    get: 'getTrigger',
    list: 'listTriggers',
    update: 'updateTrigger',
    delete: 'deleteTrigger',
    rotateSecret: 'rotateTriggerSecret',
    deliveries: {
      get: 'getTriggerDelivery',
      list: 'listTriggerDeliveries',
      retry: 'retryTriggerDelivery',
    },
  },
  /** Turns, runs of routines and replays that start at set times. */
  schedules: {
    create: 'createSchedule',
    get: 'getSchedule',
    list: 'listSchedules',
    update: 'updateSchedule',
    delete: 'deleteSchedule',
    pause: 'pauseSchedule',
    resume: 'resumeSchedule',
    run: 'runSchedule',
    backfill: 'backfillSchedule',
    runs: { list: 'listScheduleRuns' },
  },
  /** Procedures as documents of the CNCF Serverless Workflow standard. */
  routines: {
    create: 'createRoutine',
    get: 'getRoutine',
    list: 'listRoutines',
    update: 'updateRoutine',
    delete: 'deleteRoutine',
    start: 'startRoutineRun',
    emit: 'emitRoutineEvent',
  },
  /** Runs of routines. */
  routineRuns: {
    get: 'getRoutineRun',
    list: 'listRoutineRuns',
    steps: 'listRoutineSteps',
    pause: 'pauseRoutineRun',
    resume: 'resumeRoutineRun',
    stop: 'stopRoutineRun',
  },
  /** Agents at work on one goal with shared state. */
  swarms: {
    create: 'createSwarm',
    get: 'getSwarm',
    list: 'listSwarms',
    update: 'updateSwarm',
    pause: 'pauseSwarm',
    resume: 'resumeSwarm',
    end: 'endSwarm',
  },
  /** The messages of agents to people. */
  inbox: { list: 'listInbox', get: 'getInboxMessage', update: 'updateInboxMessage' },
  /** The tool calls that wait until people approve or reject them. */
  pendingActions: {
    list: 'listPendingActions',
    get: 'getPendingAction',
    decide: 'decidePendingAction',
    createLink: 'linkPendingAction',
  },
  /** Approvals that are remembered for later calls. */
  approvalGrants: { list: 'listApprovalGrants', revoke: 'revokeApprovalGrant' },
  /** Messages that wait for a turn of their conversation. */
  messages: { steer: 'steerMessage', withdraw: 'withdrawMessage' },
  /** The stored turns, with their tool calls and events. */
  turns: {
    get: 'getTurn',
    list: 'listTurns',
    find: 'findTurns',
    events: 'streamTurnEvents',
    toolCall: 'getToolCall',
  },
  /** Documents that agents can search. */
  knowledgeBases: {
    create: 'createKnowledgeBase',
    get: 'getKnowledgeBase',
    list: 'listKnowledgeBases',
    update: 'updateKnowledgeBase',
    delete: 'deleteKnowledgeBase',
    query: 'queryKnowledgeBase',
    documents: {
      create: 'createDocument',
      get: 'getDocument',
      list: 'listDocuments',
      delete: 'deleteDocument',
      reprocess: 'reprocessDocument',
    },
  },
  /** Addresses that are notified of what happens, and what was sent to each. */
  webhooks: {
    create: 'createWebhook',
    get: 'getWebhook',
    list: 'listWebhooks',
    update: 'updateWebhook',
    delete: 'deleteWebhook',
    rotateSecret: 'rotateWebhookSecret',
    deliveries: {
      get: 'getWebhookDelivery',
      list: 'listWebhookDeliveries',
      resend: 'resendWebhookDelivery',
    },
  },
  /** The catalogue of integrations. */
  providers: {
    get: 'getProvider',
    list: 'listProviders',
    import: 'importProvider',
    delete: 'deleteProvider',
  },
  /** The functions of the worker that agents can be given as tools. */
  functions: { list: 'listFunctions' },
  /** The operator's Temporal workflows that agents can be given as tools. */
  workflowTypes: { list: 'listWorkflowTypes' },
  /** Uploaded files, which messages name. */
  files: {
    create: 'createFile',
    get: 'getFile',
    list: 'listFiles',
    delete: 'deleteFile',
    content: 'getFileContent',
  },
  /** Stored files of tool results. */
  blobs: { get: 'getBlob' },
  auditEvents: { list: 'listAuditEvents' },
  analytics: { tools: 'getToolAnalytics', models: 'getModelAnalytics' },
  /** The cost of calls, in credits. */
  usage: { get: 'getUsage' },
  /** Limits of what calls may cost. */
  budgets: {
    create: 'createBudget',
    get: 'getBudget',
    list: 'listBudgets',
    update: 'updateBudget',
    delete: 'deleteBudget',
    listShares: 'listBudgetShares',
  },
  /** The prices of models. */
  prices: { get: 'getPrices', set: 'setPrices' },
  apiKeys: { create: 'createApiKey', list: 'listApiKeys', revoke: 'revokeApiKey' },
  /** The session of a browser. */
  session: { open: 'openSession', get: 'getSession', end: 'endSession' },
  /** Tokens with which people use the API from browsers. */
  userTokens: { create: 'createUserToken', end: 'endUserToken', endAll: 'endUserTokens' },
  /** People who sign in at an identity provider. */
  people: { list: 'listPeople', get: 'getPerson', update: 'changePerson' },
  /** Encrypts and decrypts payloads of Temporal. */
  codec: { encode: 'encodePayloads', decode: 'decodePayloads' },
  health: { live: 'getApiLiveness', ready: 'getApiReadiness' },
} as const satisfies Branch;
