import type { ProcedureRequests, Seed, SubmitRequests } from './contract.ts';
import { createConversationPool } from './conversation-pool.ts';
import { runBatch } from './run-batch.ts';
import { createProcedureRequests } from './run-procedures.ts';
import { createTurnDriver, type DriverParts } from './turn-drivers.ts';

/** Answers the requests to a program that submits turns and other workflows. */
export function createSubmitRequests(program: DriverParts): SubmitRequests & ProcedureRequests {
  let parts: (Parameters<typeof runBatch>[0] & { seed: Seed }) | undefined;
  const getParts = () => {
    if (!parts) throw new Error('the program was not opened');
    return parts;
  };
  return {
    open: (order) => {
      const driver = createTurnDriver({ ...program, ...order });
      const { seed } = order;
      parts = { driver, seed, pool: createConversationPool(program.database, seed) };
      return Promise.resolve();
    },
    createConversation: (execution) => getParts().pool.make(execution),
    runBatch: (order) => runBatch(getParts(), order),
    ...createProcedureRequests({ ...program, getSeed: () => getParts().seed }),
  };
}
