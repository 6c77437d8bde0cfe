import { randomUUID } from 'node:crypto';
import { createPubsubObject } from '@restatedev/pubsub';
import { createPubsubClient } from '@restatedev/pubsub-client';
import { object } from '@restatedev/restate-sdk';
import { connect } from '@restatedev/restate-sdk-clients';
import { startRestate } from '../../start-restate.mjs';
import { readModel, runTool } from '../read-model.ts';

const name = 'text';
/** How long a reader waits between two looks; the default is a second. */
const pullInterval = { milliseconds: 50 };

/**
 * A virtual object for each conversation, whose state is the messages. Its pieces go through the pub/sub of Restate, with a
 * topic for each turn, which is stored and can be read anywhere. The model is read as in `bare-reader`.
 * @type {import('../contract.ts').StartStreamingPeer}
 */
export const start = async ({ folder, modelUrl }) => {
  let publish = () => Promise.reject(new Error('Restate is not ready'));
  const callModel = async (messages, topic) => {
    const pieces = readModel(modelUrl, messages);
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) await publish(topic, { end: value.tool_calls ? 'answer' : 'turn' });
      if (done) return value;
      await publish(topic, { piece: value });
    }
  };
  const conversation = toConversation(callModel);
  const server = await startRestate(folder, [conversation, createPubsubObject(name)]);
  const client = connect({ url: server.url });
  const pubsub = createPubsubClient(client, { name, pullInterval });
  publish = pubsub.publish;
  return {
    processes: [server.process],
    runTurn: async ({ conversationId, message }, reader) => {
      const topic = randomUUID();
      const turn = client.objectClient(conversation, conversationId).turn({ message, topic });
      await Promise.all([turn, show(pubsub, topic, reader)]);
    },
    close: server.close,
  };
};

function toConversation(callModel) {
  return object({
    name: 'conversation',
    handlers: {
      turn: async (context, { message, topic }) => {
        const messages = (await context.get('messages')) ?? [];
        messages.push({ role: 'user', content: message });
        for (;;) {
          const answer = await context.run('callModel', () => callModel(messages, topic));
          messages.push(answer);
          if (!answer.tool_calls) break;
          messages.push(await context.run('callTool', () => runTool(answer)));
        }
        context.set('messages', messages);
      },
    },
  });
}

async function show(pubsub, topic, reader) {
  let text = '';
  for await (const { piece = '', end } of pubsub.pull({ topic, offset: 0 })) {
    text += piece;
    if (piece !== '') reader.piece(piece);
    if (end === undefined) continue;
    reader.message(text);
    text = '';
    if (end === 'turn') return;
  }
}
