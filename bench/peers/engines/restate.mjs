import { object } from '@restatedev/restate-sdk';
import { connect } from '@restatedev/restate-sdk-clients';
import { startRestate } from '../start-restate.mjs';
import { callModel, callTool, userMessage } from '../turn-script.ts';

const conversation = object({
  name: 'conversation',
  handlers: {
    turn: async (context, message) => {
      const messages = (await context.get('messages')) ?? [];
      messages.push(message);
      for (;;) {
        const answer = await context.run('callModel', () => callModel(messages));
        messages.push(answer);
        if (!answer.toolCall) break;
        messages.push(await context.run('callTool', () => callTool()));
      }
      context.set('messages', messages);
    },
  },
});

/**
 * A virtual object for each conversation, whose state is the messages. The server keeps the steps in its own log.
 * @type {import('../contract.ts').StartPeer}
 */
export const start = async ({ folder }) => {
  const server = await startRestate(folder, [conversation]);
  const client = connect({ url: server.url });
  return {
    processes: [server.process],
    runTurn: (conversationId) => client.objectClient(conversation, conversationId).turn(userMessage),
    close: server.close,
  };
};
