import { scopes, type Scope } from './scope.ts';

/** The scopes that a right needs, and what it protects in words. */
interface RightRule {
  /** All of these, or with `any` one of these. */
  scopes: readonly [Scope, ...Scope[]];
  any?: true;
  protects: string;
}

/** Every right, by the thing and what is done with it. Use cases ask for them with `authorize`. */
export const rights = {
  'conversations.read': { scopes: ['conversations:read'], protects: 'texts of conversations' },
  'conversations.write': { scopes: ['conversations:write'], protects: 'conversations' },
  'turns.start': { scopes: ['conversations:write'], protects: 'starting turns' },
  /** To steer, interrupt, cancel, withdraw and roll back. */
  'turns.control': { scopes: ['conversations:write'], protects: 'turns that run or wait' },
  'turns.fork': {
    scopes: ['conversations:read', 'conversations:write'],
    protects: 'texts of conversations, and starting turns',
  },
  'files.read': { scopes: ['conversations:read'], protects: 'files' },
  'files.write': { scopes: ['conversations:write'], protects: 'files' },
  'actions.read': { scopes: ['conversations:read'], protects: 'waiting actions and remembered approvals' },
  'actions.answer': { scopes: ['conversations:write'], protects: 'answers to questions and client tools' },
  'actions.decide': { scopes: ['approvals:decide'], protects: 'decisions about tool calls' },
  /** To decide, or to answer what is no decision: the use case asks which. */
  'actions.settle': {
    scopes: ['approvals:decide', 'conversations:write'],
    any: true,
    protects: 'what waits for people',
  },
  'grants.revoke': { scopes: ['approvals:decide'], protects: 'remembered approvals' },
  'recordings.export': { scopes: ['conversations:read'], protects: 'texts of conversations' },
  'recordings.import': { scopes: ['conversations:write'], protects: 'conversations' },
  'agents.read': { scopes: ['agents:read'], protects: 'instructions, tools and rules of agents' },
  'agents.write': { scopes: ['agents:write'], protects: 'agents, their tools and rules' },
  'connections.read': { scopes: ['connections:read'], protects: 'connections, connectors and providers' },
  'connections.write': { scopes: ['connections:write'], protects: 'credentials' },
  /** To name a connection in something that will send its credential. */
  'connections.use': {
    scopes: ['connections:write', 'agents:write'],
    any: true,
    protects: 'the use of credentials',
  },
  'providers.import': { scopes: ['connections:write'], protects: 'the operations of providers' },
  'knowledge.read': { scopes: ['knowledge:read'], protects: 'texts of knowledge bases' },
  'knowledge.write': { scopes: ['knowledge:write'], protects: 'knowledge bases and documents' },
  /** To give a knowledge base to an agent, whose answers show its texts. */
  'knowledge.use': { scopes: ['knowledge:read'], protects: 'texts of knowledge bases' },
  'skills.read': { scopes: ['skills:read'], protects: 'instructions and files of skills' },
  'skills.write': { scopes: ['skills:write'], protects: 'skills and their versions' },
  /** To give a skill to an agent, which then shows its texts. */
  'skills.use': { scopes: ['skills:read'], protects: 'instructions and files of skills' },
  'resources.read': { scopes: ['resources:read'], protects: 'memories, notes and other resources' },
  'resources.write': { scopes: ['resources:write'], protects: 'memories, notes and other resources' },
  'inbox.read': { scopes: ['inbox:read'], protects: 'messages of agents to people' },
  'inbox.write': { scopes: ['inbox:write'], protects: 'messages of agents to people' },
  'webhooks.read': { scopes: ['webhooks:read'], protects: 'webhooks and their deliveries' },
  'webhooks.write': { scopes: ['webhooks:write'], protects: 'webhooks and their secrets' },
  /** To make or change a webhook in whose channel people decide about tool calls. */
  'channels.decide': {
    scopes: ['webhooks:write', 'approvals:decide'],
    protects: 'decisions about tool calls in a channel',
  },
  'replays.read': { scopes: ['replays:read'], protects: 'figures of replays' },
  'replays.readTexts': {
    scopes: ['replays:read', 'conversations:read'],
    protects: 'texts of conversations in replays',
  },
  /** To pause, resume and stop. */
  'replays.control': { scopes: ['replays:write'], protects: 'replays that run' },
  'replays.run': { scopes: ['replays:write', 'conversations:read'], protects: 'starting replays' },
  'replays.live': {
    scopes: ['replays:write', 'conversations:read', 'conversations:write'],
    protects: 'tool calls of replays',
  },
  'schedules.read': { scopes: ['conversations:read'], protects: 'schedules' },
  /** Besides the right to what the schedule does. */
  'schedules.write': { scopes: ['conversations:write'], protects: 'schedules' },
  'triggers.read': { scopes: ['conversations:read'], protects: 'triggers and their deliveries' },
  /** Besides the right to what the trigger does. */
  'triggers.write': { scopes: ['conversations:write'], protects: 'triggers and their secrets' },
  'routines.read': { scopes: ['routines:read'], protects: 'routines and their runs' },
  'routines.write': { scopes: ['routines:write'], protects: 'routines' },
  'routines.run': { scopes: ['routines:write'], protects: 'starting runs of routines' },
  /** To pause, resume, stop and send events. */
  'routines.control': { scopes: ['routines:write'], protects: 'runs of routines' },
  'swarms.read': { scopes: ['swarms:read'], protects: 'swarms' },
  'swarms.write': { scopes: ['swarms:write'], protects: 'starting and changing swarms' },
  'audit.read': { scopes: ['audit:read'], protects: 'audit events' },
  'analytics.read': { scopes: ['analytics:read'], protects: 'figures of turns, tools and models' },
  'models.read': { scopes: ['agents:read'], protects: 'the list of models' },
  'budgets.read': { scopes: ['budgets:read'], protects: 'budgets, prices and usage' },
  'budgets.write': { scopes: ['budgets:write'], protects: 'spending' },
  'prices.write': { scopes: ['budgets:write'], protects: 'prices' },
  'payloads.read': { scopes: ['payloads:read'], protects: 'payloads of all workspaces in Temporal' },
  'keys.write': { scopes: ['api_keys:write'], protects: 'API keys' },
  /** To create tokens for people, with no more rights than the key itself. */
  'userTokens.write': { scopes: ['user_tokens:write'], protects: 'tokens of people' },
  /** To open, see and end the session of one's own browser, whatever the other rights are. */
  'sessions.own': { scopes, any: true, protects: 'the session of a browser' },
  /** To be notified of changes, of each kind with the right that reads it. */
  'changes.read': { scopes, any: true, protects: 'notes of changes' },
  /** To see the settings of one's own workspace, whatever the other rights are. */
  'workspace.read': { scopes, any: true, protects: 'the settings of the workspace' },
  /** To see and deactivate people who sign in at an identity provider. */
  'people.manage': { scopes: ['api_keys:write'], protects: 'people who sign in' },
} as const satisfies Record<string, RightRule>;

/** The name of a right, such as `turns.start`. */
export type Right = keyof typeof rights;

/** Returns true for a right that every API key has, whatever its scopes. */
export function isOfEveryKey(right: Right): boolean {
  return rights[right].scopes.length === scopes.length;
}
