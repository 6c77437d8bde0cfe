import { createHoldfastClient } from '../../src/clients/client/create-holdfast-client.ts';
import type { ReceivedEvent } from '../../src/clients/client/received-event.ts';
import type { ExecutionMode } from '../../src/domain/agent.ts';
import { repeat, type Load } from './accepted-turns.ts';
import { findFallbackProblems, readFallbackTurns } from './fallbacks.ts';
import { pick } from './injections.ts';
import { startLanes } from './load.ts';
import { failingModels, steadyModel } from './model.ts';
import { modelFaults } from './model-faults.ts';
import { createShopTools } from './seed.ts';
import type { World } from './world.ts';

/** How long a model may be silent before another one is asked, in milliseconds. */
const silenceMs = 2_000;

/** Starts turns of agents whose first model fails, and reads each of them as it goes. */
export function startFallbackLoad(world: World, name: string): Load {
  const client = createHoldfastClient({ baseUrl: world.origin, apiKey: world.apiKey });
  const agents = new Map<string, Promise<string | undefined>>();
  const readers = new Map<string, { seen: Map<number, string>; ended: Promise<void> }>();

  function findAgent(
    execution: ExecutionMode,
    failing: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const key = `${name}-${execution}-${failing}`;
    const agent = {
      ...{ name: key, execution, instructions: 'Pay, book and look, then answer.' },
      model: [failing, steadyModel].map((model) => `compatible/${model}`),
      limits: { activityTimeoutMs: silenceMs },
      tools: createShopTools('never'),
    };
    const created =
      agents.get(key) ?? repeat(() => client.agents.create(agent), signal).then((one) => one?.id);
    agents.set(key, created);
    return created;
  }

  function read(turnId: string): void {
    const seen = new Map<number, string>();
    const ended = (async () => {
      for await (const event of client.turns.stream(turnId)) note(seen, event);
    })();
    readers.set(turnId, { seen, ended });
  }

  let orderCount = 0;
  const load = startLanes(world, name, async (order, execution, stopped) => {
    const failing = pick(failingModels, ++orderCount);
    const agentId = await findAgent(execution, failing, stopped);
    if (agentId === undefined) return undefined;
    const conversation = await repeat(() => client.conversations.create({ agentId }), stopped);
    if (!conversation) return undefined;
    const request = { conversationId: conversation.id, message: order, idempotencyKey: order };
    const turn = await repeat(() => client.turns.start(request), stopped);
    if (turn) read(turn.id);
    return turn?.id;
  });
  return {
    ...load,
    check: async (accepted) => {
      const turns = await readFallbackTurns(
        world.databaseUrl,
        accepted.map(({ id }) => id),
      );
      for (const { id } of turns) await readers.get(id)?.ended;
      const left = modelFaults.length - world.model.countFaults();
      return [
        ...(left > 0 ? [`${left} kinds of faults did not happen`] : []),
        ...(turns.some(({ passed }) => passed > 0) ? [] : ['no model was passed over']),
        ...turns.flatMap((turn) => findFallbackProblems(turn, readers.get(turn.id)?.seen ?? new Map())),
      ];
    },
  };
}

/** Keeps the text of each iteration as a reader shows it: `stream.reset` clears it. */
function note(seen: Map<number, string>, event: ReceivedEvent): void {
  if (event.type === 'stream.reset') seen.set(event.iteration, '');
  if (event.type === 'text.delta') seen.set(event.iteration, (seen.get(event.iteration) ?? '') + event.text);
}
