import { Mastra } from '@mastra/core';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { PostgresStore } from '@mastra/pg';
import { z } from 'zod';
import { turnSteps } from '../../programs/contract.ts';
import { answerRound, callTool, userMessage } from '../turn-script.ts';

const message = z.any();

/**
 * A workflow with one step for each step of a turn, and a snapshot after each. Mastra's workflows keep no conversations,
 * so turns do not read earlier ones.
 * @type {import('../contract.ts').StartPeer}
 */
export const start = async ({ databaseUrl }) => {
  const steps = Array.from({ length: turnSteps }, (_, index) => toStep(index));
  const turn = steps
    .reduce(
      (workflow, step) => workflow.then(step),
      createWorkflow({ id: 'turn', inputSchema: message, outputSchema: message }),
    )
    .commit();
  const storage = new PostgresStore({ id: 'bench', connectionString: databaseUrl });
  await storage.init();
  const mastra = new Mastra({ workflows: { turn }, storage, logger: false });
  const workflow = mastra.getWorkflow('turn');
  return {
    runTurn: async () => {
      const run = await workflow.createRun();
      const { status } = await run.start({ inputData: userMessage });
      if (status !== 'success') throw new Error(`a turn ended as ${status}`);
    },
    close: () => storage.close(),
  };
};

function toStep(index) {
  const isModel = index % 2 === 0;
  return createStep({
    id: `${isModel ? 'call-model' : 'call-tool'}-${index}`,
    inputSchema: message,
    outputSchema: message,
    execute: () => Promise.resolve(isModel ? answerRound(index / 2) : callTool()),
  });
}
