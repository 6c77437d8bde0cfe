import { tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { ChatOpenAI } from '@langchain/openai';
import pg from 'pg';
import { z } from 'zod';
import { calculate, calculateDescription, calculateName } from '../calculate.ts';

const poolSize = 20;

/**
 * A graph of a model and its tool that stores a checkpoint before it continues with the next step. A conversation is a
 * thread. Its stream comes from the process that runs the graph, and ends with it.
 * @type {import('../contract.ts').StartStreamingPeer}
 */
export const start = async ({ databaseUrl, modelUrl }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  const checkpointer = new PostgresSaver(pool);
  await checkpointer.setup();
  const tools = [
    tool(calculate, {
      name: calculateName,
      description: calculateDescription,
      schema: z.object({ expression: z.string() }),
    }),
  ];
  const model = new ChatOpenAI({
    ...{ model: 'scale', apiKey: 'none', streaming: true, configuration: { baseURL: modelUrl } },
  }).bindTools(tools);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) => (messages.at(-1).tool_calls?.length > 0 ? 'tools' : END))
    .addEdge('tools', 'model')
    .compile({ checkpointer });
  return {
    runTurn: async ({ conversationId, message }, reader) => {
      // The default durability writes checkpoints while the next step already runs.
      const stream = await graph.stream(
        { messages: [{ role: 'user', content: message }] },
        {
          configurable: { thread_id: conversationId },
          durability: 'sync',
          streamMode: ['messages', 'updates'],
        },
      );
      for await (const [mode, chunk] of stream) {
        if (mode === 'updates') {
          if (chunk.model) reader.message(chunk.model.messages[0].content);
        } else if (chunk[1].langgraph_node === 'model' && chunk[0].content !== '') {
          reader.piece(chunk[0].content);
        }
      }
    },
    close: () => pool.end(),
  };
};
