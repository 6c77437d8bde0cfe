/** The groups of endpoints in the OpenAPI document, with their descriptions. */
export const tags = {
  agents: 'Agents and their versions, and the models, functions and workflow types that they may use.',
  'agent tools': 'The tools of an agent: add, configure, test and remove them.',
  'agent configuration': 'An agent with its tools as one document, which is compared and pushed as a whole.',
  connections: 'Stored, encrypted credentials for providers and MCP servers, and the tools behind them.',
  connectors: 'Registered MCP servers whose tools are pushed to agents.',
  conversations: 'Ordered messages with one agent, their contexts and their forks.',
  recordings: 'Conversations as lines of JSON: export them, and import those of other programs.',
  turns: 'A message and the steps that answer it: start, read, cancel, steer and withdraw.',
  'pending actions':
    'Approvals, questions and client tools for which a turn waits, and approvals that are remembered.',
  events: 'The event log of conversations and turns, as pages or as streams that can be resumed.',
  audit: 'The append-only log of what was done in the workspace.',
  analytics: 'Figures of turns, tool calls, model calls and usage.',
  budgets: 'Limits of spending, and the prices by which calls are counted.',
  providers: 'The integration catalogue with its operations, and imported APIs.',
  'knowledge bases': 'Documents, their index, and searches in it.',
  skills:
    'Instructions and files for certain tasks in the open Agent Skills format, with versions that agents use.',
  blobs: 'Files that tools have returned.',
  files: 'Uploads that messages and tools refer to.',
  'API keys': 'Keys of the workspace with their scopes.',
  people: 'Tokens for browsers, and people who sign in at an identity provider.',
  webhooks: 'Signed messages about turns to other programs, with their deliveries.',
  replays: 'Recorded turns run again with another agent version, and the report that compares them.',
  resources:
    'Notes, prompts, standards, memories and other things with versions that people and agents share.',
  schedules: 'Turns, routines and replays that start at set times.',
  routines: 'Stored procedures of several steps, their runs and the events that they wait for.',
  swarms: 'Several agents at work on one goal with shared state.',
  inbox: 'Messages of agents to people.',
  triggers: 'Webhooks of vendors that start turns and routines.',
  Temporal: 'The decoding of payloads for the Temporal Web UI.',
  health: 'Checks for load balancers and orchestrators.',
} as const;

/** The group of an endpoint. */
export type Tag = keyof typeof tags;
