import { turnOutcomes } from '../../domain/turn-status.ts';

/** How a turn ended, or `open` for one that is not over. */
export const turnFilterOutcomes = [...turnOutcomes, 'open'] as const;

/** Chooses turns of a workspace: all that fit every field that is given. */
export interface TurnFilter {
  agentId?: string | undefined;
  conversationId?: string | undefined;
  /** The name of the person for whom the turn was started, through all turns above it. */
  person?: string | undefined;
  /** A tag of its conversation. */
  tag?: string | undefined;
  outcome?: (typeof turnFilterOutcomes)[number] | undefined;
  /** A time in ISO 8601: turns that were created then or later. */
  from?: string | undefined;
  /** Turns that were created before. */
  to?: string | undefined;
}
