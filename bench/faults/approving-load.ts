import { setTimeout as sleep } from 'node:timers/promises';
import {
  createHoldfastClient,
  type HoldfastClient,
} from '../../src/clients/client/create-holdfast-client.ts';
import { HoldfastApiError } from '../../src/clients/client/holdfast-api-error.ts';
import type { DecisionInput, PendingAction } from '../../src/domain/action.ts';
import { repeat, type Load } from './accepted-turns.ts';
import { findApprovalProblems, readApprovals, type AcceptedDecision } from './approvals.ts';
import { startLoad } from './load.ts';
import type { ShopArguments } from './shop.ts';
import type { World } from './world.ts';

const pollMs = 250;

/** The longest time until a decision, in milliseconds: most turns wait in a separate workflow run by then. */
const longestMs = 4_000;

/** The share of actions that two people decide at the same moment. */
const twiceShare = 0.3;

/** Starts turns whose calls wait for approvals, and decides them at random moments. */
export function startApprovingLoad(world: World, name: string): Load {
  const load = startLoad(world, name, world.askingAgentIds);
  const people = startPeople(world);
  return {
    accepted: load.accepted,
    stop: async () => {
      await load.stop();
      await people.stop();
    },
    check: async (turns) =>
      findApprovalProblems({
        orders: turns.map(({ order }) => order),
        approvals: await readApprovals(world.databaseUrl, turns),
        decisions: people.accepted,
        executions: world.shop.executions,
      }),
  };
}

/** Decides everything that waits, whenever the API answers. */
export function startPeople({ origin, apiKey }: World) {
  const client = createHoldfastClient({ baseUrl: origin, apiKey });
  const leaving = new AbortController();
  const known = new Set<string>();
  const deciding = new Set<Promise<void>>();
  const accepted: AcceptedDecision[] = [];

  function take(action: PendingAction): void {
    if (known.has(action.id)) return;
    known.add(action.id);
    const run = decideAtRandom(action).finally(() => deciding.delete(run));
    deciding.add(run);
  }

  async function decideAtRandom(action: PendingAction): Promise<void> {
    await sleep(Math.random() * longestMs);
    const people = Math.random() < twiceShare ? 2 : 1;
    const answers = Array.from({ length: people }, () => {
      const input = chooseDecision(action);
      return repeat(() => decideOnce(client, action.id, input), leaving.signal);
    });
    accepted.push(...(await Promise.all(answers)).flatMap((answer) => answer ?? []));
  }

  const looking = (async () => {
    while (!leaving.signal.aborted) {
      const page = await repeat(() => client.pendingActions.list({ limit: 100 }), leaving.signal);
      page?.items.forEach(take);
      await sleep(pollMs);
    }
  })();
  return {
    accepted,
    stop: async () => {
      leaving.abort();
      await Promise.all([looking, ...deciding]);
    },
  };
}

/** Approves half of the actions, changes the arguments of a quarter, and rejects the others. */
function chooseDecision({ arguments: proposed }: PendingAction): DecisionInput {
  const chance = Math.random();
  if (chance < 0.5) return { decision: 'approve' };
  if (chance < 0.75) return { decision: 'reject', reason: `Not now (${chance.toFixed(3)}).` };
  return { decision: 'approve', arguments: { ...proposed, note: `changed (${chance.toFixed(3)})` } };
}

/** Null when another decision came first. */
async function decideOnce(
  client: HoldfastClient,
  actionId: string,
  input: DecisionInput,
): Promise<AcceptedDecision | null> {
  try {
    const { status, approvedArguments } = await client.pendingActions.decide(actionId, input);
    return { actionId, status, approvedArguments: approvedArguments as ShopArguments | null };
  } catch (error) {
    if (error instanceof HoldfastApiError && error.code === 'ACTION_DECIDED') return null;
    throw error;
  }
}
