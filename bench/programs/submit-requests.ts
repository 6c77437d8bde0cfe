import type { ProcedureRequests, Seed, SubmitRequests } from './contract.ts';
import { createConversationPool } from './conversation-pool.ts';
import { runBatch } from './run-batch.ts';
import { createProcedureRequests } from './run-procedures.ts';
import { submitTurns } from './submit-turns.ts';
import { createTurnDriver, createTurnStarter, type DriverParts } from './turn-drivers.ts';

/** Answers the requests to a program that submits turns and other workflows. */
export function createSubmitRequests(program: DriverParts): SubmitRequests & ProcedureRequests {
  let parts:
    (Parameters<typeof runBatch>[0] & Parameters<typeof submitTurns>[0] & { seed: Seed }) | undefined;
  const getParts = () => {
    if (!parts) throw new Error('the program was not opened');
    return parts;
  };
  return {
    open: (order) => {
      const options = { ...program, ...order };
      const { seed } = order;
      const [driver, start] = [createTurnDriver(options), createTurnStarter(options)];
      parts = { driver, start, seed, pool: createConversationPool(program.database, seed) };
      return Promise.resolve();
    },
    createConversation: (execution) => getParts().pool.make(execution),
    runBatch: (order) => runBatch(getParts(), order),
    submitTurns: (order) => submitTurns(getParts(), order),
    ...createProcedureRequests({ ...program, getSeed: () => getParts().seed }),
  };
}
