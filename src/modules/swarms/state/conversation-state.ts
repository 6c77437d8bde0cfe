import { HoldfastError } from '../../../domain/errors.ts';
import type { SwarmOutcome } from '../../../domain/swarm.ts';

/** The error of a call for which there is no swarm: `reason` ends the sentence. */
export function createStateNotFound(reason: string): HoldfastError {
  return new HoldfastError('CONVERSATION_STATE_NOT_FOUND', `Conversation state not found: ${reason}`);
}

/** The error of a call that would change a swarm that has ended. */
export function createTooLate(status: SwarmOutcome): HoldfastError {
  return createStateNotFound(
    `the swarm has ended as ${status}, so it cannot be changed. Call update_swarm_shared_state without a change to read it.`,
  );
}
