import { DBOS } from '@dbos-inc/dbos-sdk';
import { configureDbos } from '../../configure-dbos.mjs';
import { readModel, runTool } from '../read-model.ts';

const key = 'text';

/**
 * A workflow whose steps are stored one by one, and whose pieces go through a stream of DBOS, which is stored and can be
 * read anywhere. DBOS keeps no conversations, so turns do not read earlier ones. The model is read as in `bare-reader`.
 * @type {import('../contract.ts').StartStreamingPeer}
 */
export const start = async ({ databaseUrl, modelUrl }) => {
  configureDbos(databaseUrl);
  const turn = DBOS.registerWorkflow((message) => runSteps(modelUrl, message), { name: 'turn' });
  await DBOS.launch();
  return {
    runTurn: async ({ message }, reader) => {
      const handle = await DBOS.startWorkflow(turn)(message);
      let shown = { round: 0, text: '' };
      for await (const { round, piece } of DBOS.readStream(handle.workflowID, key)) {
        if (round !== shown.round) {
          reader.message(shown.text);
          shown = { round, text: '' };
        }
        shown.text += piece;
        reader.piece(piece);
      }
      reader.message(shown.text);
      await handle.getResult();
    },
    close: () => DBOS.shutdown(),
  };
};

async function runSteps(modelUrl, message) {
  const messages = [{ role: 'user', content: message }];
  for (let round = 0; ; round += 1) {
    const answer = await DBOS.runStep(() => callModel(modelUrl, messages, round), { name: 'callModel' });
    if (!answer.tool_calls) break;
    messages.push(answer, await DBOS.runStep(() => Promise.resolve(runTool(answer)), { name: 'callTool' }));
  }
  await DBOS.closeStream(key);
}

async function callModel(modelUrl, messages, round) {
  const pieces = readModel(modelUrl, messages);
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return value;
    await DBOS.writeStream(key, { round, piece: value });
  }
}
