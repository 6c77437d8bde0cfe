import type { Viewer } from '../../domain/actor.ts';
import { mayDo } from '../../domain/authorize.ts';
import type { Right } from '../../domain/rights.ts';

/** The things whose changes are noted, and the right that reads each. */
const readingRights = {
  agent: 'agents.read',
  turn: 'conversations.read',
  action: 'actions.read',
  routine_run: 'routines.read',
  swarm: 'swarms.read',
  replay: 'replays.read',
  document: 'knowledge.read',
  schedule_run: 'schedules.read',
  trigger_delivery: 'triggers.read',
  webhook_delivery: 'webhooks.read',
  inbox_message: 'inbox.read',
} as const satisfies Record<string, Right>;

/** What has changed: a turn, an action for which a turn waits, and so on. */
export type ChangeType = keyof typeof readingRights;

/** A note that something was created or has another status, or that an agent has a new version. The thing itself is read by its id. */
export interface Change {
  type: ChangeType;
  id: string;
  /** The status that it got; that of a message is `read` or `unread`, that of an agent `active` or `deleted`. */
  status: string;
  /** The conversation of the turn, the action or the run. */
  conversationId: string | null;
  /** The time at which the transaction of the change began, as ISO 8601. */
  at: string;
}

/**
 * An event of the stream: changes in their order, or `reset` when changes before it are not known, so that the reader reads
 * everything anew.
 */
export type ChangeEvent = { type: 'changes'; changes: Change[] } | { type: 'reset' };

/** Lists the types of changes that a viewer may read; without scopes it is the program itself, which reads all. */
export function listReadableTypes({ scopes, conversations }: Viewer): ChangeType[] {
  const types = Object.keys(readingRights) as ChangeType[];
  if (!scopes) return types;
  const holder = { scopes, ...(conversations && { conversations }) };
  return types.filter((type) => mayDo(holder, readingRights[type]));
}
