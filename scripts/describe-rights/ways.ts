/** A way to protected data or actions besides the routes of the API, and the check that applies there. */
export interface Way {
  /** The actions and the data that this way gives access to. */
  reaches: string;
  check: string;
  /** The test that shows it. */
  test: string;
}

/** The functions that agents call, by their names. Each is a tool of its agent, so that its rules and approvals hold besides. */
export const functionWays: Record<string, Way> = {
  ask_user: {
    reaches: 'a question to the person of the turn',
    check: 'answered with `actions.answer`, by somebody who sees the conversation',
    test: 'test/modules/actions/questions.temporal.test.ts',
  },
  calculate: { reaches: 'nothing', check: 'none', test: 'test/engines/tools/functions/calculate.test.ts' },
  'routine:model': {
    reaches: 'a call of a model, by a step of a routine',
    check: 'budgets of the turn',
    test: 'test/modules/credits/budgets.temporal.test.ts',
  },
  current_time: {
    reaches: 'nothing',
    check: 'none',
    test: 'test/engines/tools/functions/by-name.temporal.test.ts',
  },
  define_tool: {
    reaches: 'the schema of a tool of the same agent',
    check: 'shows what the agent is offered already',
    test: 'test/engines/tools/functions/by-name.temporal.test.ts',
  },
  end_swarm: {
    reaches: 'the end of a swarm',
    check: 'the swarm of the turn’s conversation only',
    test: 'test/modules/swarms/ending-swarms.temporal.test.ts',
  },
  file_search: {
    reaches: 'texts of knowledge bases',
    check: 'those that the tool names; who names one has `knowledge.use`',
    test: 'test/modules/agents/tools/prepare-tools.db.test.ts',
  },
  generate_image: {
    reaches: 'a call of an image model, and a file of the turn',
    check: 'the connection that the tool names; who names one has `connections.use`',
    test: 'test/modules/agents/tools/prepare-tools.db.test.ts',
  },
  http_request: {
    reaches: 'requests to hosts, with the credential of a connection',
    check: 'the connection that the tool names, at its own host; who names one has `connections.use`',
    test: 'test/modules/agents/tools/prepare-tools.db.test.ts',
  },
  load_skill: {
    reaches: 'instructions of skills',
    check: 'the versions that the running agent version names; who names one has `skills.use`',
    test: 'test/modules/skills/skill-turns.temporal.test.ts',
  },
  read_skill_resource: {
    reaches: 'files of skills',
    check: 'the versions that the running agent version names; who names one has `skills.use`',
    test: 'test/modules/skills/skill-turns.temporal.test.ts',
  },
  read_tool_result: {
    reaches: 'stored results of tools',
    check: 'results that the same conversation has shown',
    test: 'test/engines/tools/functions/read-tool-result.temporal.test.ts',
  },
  recall: {
    reaches: 'memories',
    check: 'of the workspace, the agent, and the person of the turn',
    test: 'test/modules/resources/agent-functions.temporal.test.ts',
  },
  remember: {
    reaches: 'memories',
    check: 'of the agent, or of the person of the turn',
    test: 'test/modules/resources/agent-functions.temporal.test.ts',
  },
  resource_manage: {
    reaches: 'resources; agents and routines too',
    check: 'the kinds that the tool names; whoever gave the tool has the right to these kinds',
    test: 'test/modules/resources/agent-functions.temporal.test.ts',
  },
  run_routine: {
    reaches: 'runs of routines',
    check: 'runs that act for the person of the turn; the rules of the agent hold in them',
    test: 'test/modules/routines/run-routine.temporal.test.ts',
  },
  send_message: {
    reaches: 'messages to agents, people and topics',
    check: 'conversations of the person of the turn only; chains of messages end',
    test: 'test/modules/inbox/send-message.temporal.test.ts',
  },
  spawn_swarm: {
    reaches: 'a swarm',
    check: 'acts for the person of the turn, within the limits of the swarm above',
    test: 'test/modules/swarms/limits.temporal.test.ts',
  },
  update_swarm_shared_state: {
    reaches: 'the plan of a swarm',
    check: 'the swarm of the turn’s conversation only',
    test: 'test/modules/swarms/swarm.temporal.test.ts',
  },
  web_search: {
    reaches: 'a search with the credential of a connection',
    check: 'the connection that the tool names; who names one has `connections.use`',
    test: 'test/modules/agents/tools/prepare-tools.db.test.ts',
  },
};

/** Stored work that acts later. The rights of its creator and of its last changer are checked when it acts. */
export const storedWays: Record<string, Way> = {
  'schedule of a turn': {
    reaches: 'a turn',
    check: '`turns.start` of maker and last changer, when it is stored and when it runs',
    test: 'test/modules/schedules/makers.db.test.ts',
  },
  'schedule of a replay': {
    reaches: 'a replay',
    check: '`replays.run`, and `replays.live` for live answers',
    test: 'test/modules/schedules/makers.db.test.ts',
  },
  'schedule of a routine': {
    reaches: 'a run of a routine',
    check: '`routines.run`',
    test: 'test/modules/schedules/makers.db.test.ts',
  },
  'trigger of a turn': {
    reaches: 'a turn',
    check: '`turns.start`; a template names people only for a key without a person',
    test: 'test/modules/schedules/makers.db.test.ts',
  },
  'trigger of a routine': {
    reaches: 'a run of a routine',
    check: '`routines.run`',
    test: 'test/modules/schedules/makers.db.test.ts',
  },
  webhook: {
    reaches: 'events, told to its URL',
    check: '`webhooks.write` of maker and last changer, before each message',
    test: 'test/modules/webhooks/makers.temporal.test.ts',
  },
  'channel of Slack': {
    reaches: 'decisions about tool calls',
    check: '`channels.decide`, people whom the channel maps, messages that it posted since its last change',
    test: 'test/modules/webhooks/slack/slack-channels.db.test.ts',
  },
  'link to an action': {
    reaches: 'one decision',
    check: 'the key of the link lives and may decide',
    test: 'test/modules/actions/pages/action-page-routes.db.test.ts',
  },
  'remembered approval': {
    reaches: 'tool calls without a question',
    check: 'the key that gave it lives and may still approve',
    test: 'test/modules/actions/remembered-approvals.temporal.test.ts',
  },
  replay: {
    reaches: 'texts of conversations, sent to models',
    check:
      '`replays.run` of its makers, and what all of them see when it is planned and when each chunk runs',
    test: 'test/modules/replays/replays-of-people.temporal.test.ts',
  },
  'replay with live answers': {
    reaches: 'tool calls',
    check:
      '`replays.live`; for one person the calls of that person; the rules, approvals and limits of today; never one that a person rejected',
    test: 'test/modules/replays/live-and-fallback.temporal.test.ts',
  },
  'turn that waits': {
    reaches: 'a turn',
    check: 'the maker had `turns.start`; a turn that was accepted runs',
    test: 'test/modules/turns/submit-turn.db.test.ts',
  },
};

/** The ways in that are no routes of the API. */
export const doorWays: Record<string, Way> = {
  '/hooks/:triggerId': {
    reaches: 'what a trigger starts',
    check: 'the signature of its secret',
    test: 'test/modules/triggers/trigger-hook-routes.db.test.ts',
  },
  '/api/slack/interactions/:webhookId': {
    reaches: 'decisions about tool calls',
    check: 'the signature of the channel’s secret, and what holds for channels of Slack',
    test: 'test/modules/webhooks/slack/slack-channels.db.test.ts',
  },
  '/api/oauth/start': {
    reaches: 'the page of an authorization server',
    check: 'the id of an authorization that a key with `connections.write` began, once',
    test: 'test/modules/connections/oauth/oauth-callback-routes.db.test.ts',
  },
  '/api/oauth/callback': {
    reaches: 'the tokens of a connection',
    check: 'the state of an authorization, from the browser that began it',
    test: 'test/modules/connections/oauth/oauth-callback-routes.db.test.ts',
  },
  '/api/oauth/client-metadata.json': {
    reaches: 'nothing: it describes Holdfast to authorization servers',
    check: 'none',
    test: 'test/modules/connections/oauth/client-metadata-routes.db.test.ts',
  },
  '/api/login': {
    reaches: 'the page of an identity provider that the operator has named',
    check: 'comes back to paths of this origin alone',
    test: 'test/modules/workspaces/login/login-in-chromium.db.test.ts',
  },
  '/api/login/callback': {
    reaches: 'a session with the rights of the person’s roles',
    check: 'the token of the provider, and the state and nonce of the browser that began it',
    test: 'test/modules/workspaces/login/login-in-chromium.db.test.ts',
  },
  '/': {
    reaches: 'the files of the console, and its page at all other addresses: they are the same for everybody',
    check: 'none; the page asks the API with the session of its browser',
    test: 'test/platform/http/console-door.db.test.ts',
  },
  '/actions/:id': {
    reaches: 'one decision',
    check: 'the sealed token of the link',
    test: 'test/modules/actions/pages/action-page-routes.db.test.ts',
  },
};

/** The workflows that a client of Temporal can start; who reaches Temporal is trusted with its namespace. */
export const workflowWays: Record<string, Way> = {
  agentTurn: started('a turn that is stored'),
  fastTurn: started('a turn that is stored'),
  recordedTurn: started('a turn that is stored'),
  batchReplay: started('a replay that is stored'),
  documentIngestion: started('a document that is stored'),
  recordRemoval: started('rows that were deleted'),
  scheduledRun: started('a run of a schedule'),
  routineRun: started('a run that is stored'),
  swarm: started('a swarm that is stored'),
  turnSubmission: {
    reaches: 'a turn of a conversation',
    check: 'the conversation is one of the workspace that is named',
    test: 'test/workflows/turn-submission.temporal.test.ts',
  },
  turnSweep: started('repair of all workspaces'),
  webhookDelivery: started('a delivery that is stored'),
};

function started(reaches: string): Way {
  return {
    reaches,
    check: 'acts on rows that are stored; a worker of another installation refuses it',
    test: 'test/main/other-installation.long.test.ts',
  };
}
