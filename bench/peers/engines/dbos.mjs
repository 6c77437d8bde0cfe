import { DBOS } from '@dbos-inc/dbos-sdk';
import { configureDbos } from '../configure-dbos.mjs';
import { callModel, callTool, userMessage } from '../turn-script.ts';

/**
 * A workflow whose steps are stored one by one. DBOS keeps no conversations, so turns do not read earlier ones.
 * @type {import('../contract.ts').StartPeer}
 */
export const start = async ({ databaseUrl }) => {
  configureDbos(databaseUrl);
  const runTurn = DBOS.registerWorkflow(runSteps, { name: 'turn' });
  await DBOS.launch();
  return {
    runTurn: () => runTurn(userMessage),
    close: () => DBOS.shutdown(),
  };
};

async function runSteps(message) {
  const messages = [message];
  for (;;) {
    const answer = await DBOS.runStep(() => Promise.resolve(callModel(messages)), { name: 'callModel' });
    if (!answer.toolCall) return answer;
    messages.push(answer);
    messages.push(await DBOS.runStep(() => Promise.resolve(callTool()), { name: 'callTool' }));
  }
}
