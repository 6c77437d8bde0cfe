import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import pg from 'pg';
import { callModel, callTool, userMessage } from '../turn-script.ts';

const poolSize = 20;

const State = Annotation.Root({
  messages: Annotation({ reducer: (before, more) => before.concat(more), default: () => [] }),
});

/**
 * A graph of a model and a tool that stores a checkpoint before it continues with the next step. A conversation is a thread.
 * @type {import('../contract.ts').StartPeer}
 */
export const start = async ({ databaseUrl }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  const checkpointer = new PostgresSaver(pool);
  await checkpointer.setup();
  const graph = new StateGraph(State)
    .addNode('model', ({ messages }) => ({ messages: [callModel(messages)] }))
    .addNode('tool', () => ({ messages: [callTool()] }))
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) => (messages.at(-1).toolCall ? 'tool' : END))
    .addEdge('tool', 'model')
    .compile({ checkpointer });
  return {
    // The default durability writes checkpoints while the next step already runs.
    runTurn: (conversationId) =>
      graph.invoke(
        { messages: [userMessage] },
        { configurable: { thread_id: conversationId }, durability: 'sync' },
      ),
    close: () => pool.end(),
  };
};
