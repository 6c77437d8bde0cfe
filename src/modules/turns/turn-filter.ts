import { turnOutcomes } from '../../domain/turn-status.ts';

/** How a turn ended, or `open` for one that has not ended. */
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
  /** The name of a tool that the turn called. */
  tool?: string | undefined;
  /** Turns whose own calls cost so many credits or more. */
  costFrom?: number | undefined;
  /** Turns whose own calls cost fewer. */
  costTo?: number | undefined;
  /** Turns that have ended and took so many milliseconds or more, from when they were created. */
  durationFrom?: number | undefined;
  /** A text in the messages of the turn, in upper or lower case. */
  text?: string | undefined;
}
