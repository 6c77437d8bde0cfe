import { createHoldfastClient } from '../../src/clients/client/create-holdfast-client.ts';
import { compactionModes, type CompactionMode } from '../../src/domain/compaction.ts';
import { startGround } from '../engines/start-ground.ts';
import { seedDatabase } from '../holdfast/seed.ts';
import { describeMachine, type Machine } from '../machine.ts';
import { openPlace, type Place, type PlaceOptions } from '../place.ts';
import { startApiInPlace, startProgramInPlace } from '../programs/start-in-place.ts';
import { startFactModel, type FactModel } from './fact-model.ts';
import { holdConversation, type HeldConversation } from './hold-conversation.ts';

/** The threshold of the agents, in tokens: about fifty turns. */
const threshold = 8_000;

/** A conversation for each mode of compaction. */
export interface ContextFigures {
  startedAt: string;
  machine: Machine;
  threshold: number;
  conversations: Record<CompactionMode, HeldConversation>;
}

interface RunContextOptions extends PlaceOptions {
  turns: number;
}

/** Holds a long conversation in each mode of compaction, and counts the tokens of each turn. */
export async function runContext({ turns, ...options }: RunContextOptions): Promise<ContextFigures> {
  const { say, signal } = options;
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  await using stack = new AsyncDisposableStack();
  say('starting Postgres, Temporal, the API, a worker and a model (usually 15 seconds) …');
  const model = await startFactModel();
  stack.defer(model.close);
  const client = await startStage(openPlace(options, stack), model);
  const conversations = {} as ContextFigures['conversations'];
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  for (const compaction of compactionModes) {
    say(`${turns} turns with compaction "${compaction}" …`);
    const agent = await client.agents.create({
      ...{ name: compaction, model: 'compatible/bench', instructions: 'Help with the warehouse.' },
      ...{ execution: 'direct', compaction, compactionThreshold: threshold },
    });
    const { id: conversationId } = await client.conversations.create({ agentId: agent.id });
    const answer = async (message: string): Promise<string> => {
      const { id } = await client.turns.start({ conversationId, message });
      const turn = await Promise.race([client.turns.wait(id, { timeoutMs: 60_000 }), stopped]);
      if (turn.outcome !== 'completed') throw new Error(`a turn is ${turn.status}: ${turn.error?.message}`);
      return turn.answer ?? '';
    };
    conversations[compaction] = await holdConversation({ model, turns, say: answer });
  }
  return { startedAt, machine, threshold, conversations };
}

async function startStage(place: Place, model: FactModel) {
  const ground = await startGround(place, { engine: 'dev-server' });
  if (!ground) throw new Error('There is no Temporal server.');
  const seed = await seedDatabase(ground.databaseUrl);
  const variables = {
    ...ground.variables,
    HOLDFAST_COMPATIBLE_BASE_URL: model.url,
    HOLDFAST_TASK_QUEUE: 'context',
    HOLDFAST_DATA_DIR: place.folder,
    HOLDFAST_LOG_LEVEL: 'warn',
    HOLDFAST_ALLOW_LOOPBACK: 'true',
  };
  await startProgramInPlace(place, { name: 'worker', file: 'src/main/worker.ts', variables });
  const api = await startApiInPlace(place, variables);
  return createHoldfastClient({ baseUrl: api.origin, apiKey: seed.apiKey });
}
