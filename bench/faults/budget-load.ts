import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createHoldfastClient } from '../../src/clients/client/create-holdfast-client.ts';
import { HoldfastApiError } from '../../src/clients/client/holdfast-api-error.ts';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import { repeat, watchSettling, withPatience, type AcceptedTurn, type Load } from './accepted-turns.ts';
import { createStartOrder } from './load.ts';
import { createShopTools } from './seed.ts';
import { creditsOfCall } from './swarms.ts';
import type { World } from './world.ts';

/** The calls of the model that the budget of each agent allows, and the turns that it gets, which would make more. */
const mostCalls = 20;
const turnsOfAgent = 30;
const longestPauseMs = 4_000;

/** An agent with a budget, which the turns of one round use up. */
interface BudgetedAgent {
  id: string;
  execution: ExecutionMode;
}

/** Starts turns of agents in whose budgets a part of their model calls fits. */
export function startBudgetLoad(world: World, name: string): Load {
  const client = createHoldfastClient({ baseUrl: world.origin, apiKey: world.apiKey });
  const accepted: AcceptedTurn[] = [];
  const agents: BudgetedAgent[] = [];
  const stopping = new AbortController();
  const giveUp = new AbortController();
  const watcher = watchSettling(world.databaseUrl, accepted);

  async function createAgent(execution: ExecutionMode): Promise<BudgetedAgent | undefined> {
    const prices = { 'compatible/faults': { input: 0, output: 0, perCall: creditsOfCall / 1_000_000 } };
    await repeat(() => client.prices.set({ prices }), stopping.signal);
    const agent = { name: `${name}-${execution}`, model: 'compatible/faults', execution };
    const tools = createShopTools('never');
    const create = () => client.agents.create({ ...agent, instructions: 'Pay, book and look.', tools });
    const created = await repeat(create, stopping.signal);
    if (!created) return undefined;
    const budget = { scope: 'agent', subject: created.id, period: 'total' } as const;
    const limit = () => client.budgets.create({ ...budget, credits: String(mostCalls * creditsOfCall) });
    const isLimited = await repeat(() => limit().then(() => true, acceptRepeated), stopping.signal);
    return isLimited ? { id: created.id, execution } : undefined;
  }

  async function submit({ id: agentId, execution }: BudgetedAgent, order: string): Promise<void> {
    await sleep(Math.random() * longestPauseMs);
    const agentIds = { inspectable: agentId, direct: agentId };
    const id = await createStartOrder(world, agentIds)(order, execution, giveUp.signal);
    if (id === undefined) return;
    const one = { id, order, execution, acceptedAt: Date.now() };
    accepted.push(one);
    await watcher.settled(one);
  }

  async function runRounds(execution: ExecutionMode): Promise<void> {
    for (let round = 1; !stopping.signal.aborted; round++) {
      const agent = await createAgent(execution);
      if (!agent) return;
      agents.push(agent);
      const numbers = Array.from({ length: turnsOfAgent }, (_, index) => index);
      await Promise.all(numbers.map((number) => submit(agent, `${name}-${execution}-${round}.${number}`)));
    }
  }

  const running = Promise.all(executionModes.map(runRounds));
  return {
    accepted,
    stop: async () => {
      stopping.abort();
      await withPatience(running);
      giveUp.abort();
      await watcher.close();
    },
    check: (turns) =>
      findBudgetProblems(
        world.databaseUrl,
        agents.filter(({ execution }) => execution === turns[0]?.execution),
      ),
  };
}

/** The budget of an earlier attempt, whose answer was lost. */
function acceptRepeated(error: unknown): true {
  if (error instanceof HoldfastApiError && error.code === 'CONFLICT') return true;
  throw error;
}

/** Says which agents have spent more calls than their budgets allow; and when no budget was used up, which would show nothing. */
async function findBudgetProblems(databaseUrl: string, agents: BudgetedAgent[]): Promise<string[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ agentId: string; calls: number }>(
      `SELECT agent_id AS "agentId", (sum(credits) / $2)::int AS calls FROM credit_entries
       WHERE agent_id = ANY ($1) AND status = 'settled' GROUP BY agent_id`,
      [agents.map(({ id }) => id), creditsOfCall],
    );
    const isUsedUp = rows.length === 0 || rows.some(({ calls }) => calls >= mostCalls);
    return [
      ...(isUsedUp ? [] : ['no budget was used up']),
      ...rows
        .filter(({ calls }) => calls > mostCalls)
        .map(({ agentId, calls }) => `agent ${agentId} has spent ${calls} calls of ${mostCalls}`),
    ];
  } finally {
    await client.end();
  }
}
