import type { SubmitRequests } from './contract.ts';
import { createConversationPool } from './conversation-pool.ts';
import { runBatch } from './run-batch.ts';
import { createTurnDriver, type DriverParts } from './turn-drivers.ts';

/** Answers the requests to a program that submits turns. */
export function createSubmitRequests(program: DriverParts): SubmitRequests {
  let parts: Parameters<typeof runBatch>[0] | undefined;
  const getParts = () => {
    if (!parts) throw new Error('the program was not opened');
    return parts;
  };
  return {
    open: (order) => {
      const pool = createConversationPool(program.database, order.seed);
      parts = { driver: createTurnDriver({ ...program, ...order }), pool };
      return Promise.resolve();
    },
    createConversation: (execution) => getParts().pool.make(execution),
    runBatch: (order) => runBatch(getParts(), order),
  };
}
