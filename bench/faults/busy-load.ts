import { setTimeout as sleep } from 'node:timers/promises';
import { createHoldfastClient } from '../../src/clients/client/create-holdfast-client.ts';
import { HoldfastApiError } from '../../src/clients/client/holdfast-api-error.ts';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import { repeat, watchSettling, withPatience, type AcceptedTurn, type Load } from './accepted-turns.ts';
import { findApprovalProblems, readApprovals } from './approvals.ts';
import { startPeople } from './approving-load.ts';
import { pick } from './injections.ts';
import { findCancelledMessageProblems, readMessages } from './messages.ts';
import type { World } from './world.ts';

const lanes = 8;
const messagesOfEach = 8;
const longestPauseMs = 2_000;

/** The share of messages whose turn a person cancels soon afterwards. */
const cancelledShare = 0.15;
const longestCancelMs = 1_500;

const modes = ['reject', 'enqueue', 'steer', 'interrupt', 'rollback'] as const;

interface BusyConversation {
  id: string;
  execution: ExecutionMode;
  texts: string[];
}

/**
 * Sends messages with every `onBusy` to conversations whose turns run, cancels some of their turns, and decides the calls of
 * every second conversation, at random moments.
 */
export function startBusyLoad(world: World, name: string): Load {
  const client = createHoldfastClient({ baseUrl: world.origin, apiKey: world.apiKey });
  const accepted: AcceptedTurn[] = [];
  const conversations: BusyConversation[] = [];
  const settling: Promise<unknown>[] = [];
  const stopping = new AbortController();
  const giveUp = new AbortController();
  const watcher = watchSettling(world.databaseUrl, accepted);
  const people = startPeople(world);
  let count = 0;

  async function send({ id, execution, texts }: BusyConversation, text: string): Promise<void> {
    const onBusy = pick(modes, Math.floor(Math.random() * modes.length));
    const now = onBusy === 'steer' && Math.random() < 0.5;
    const confirmRollback = onBusy === 'rollback' ? { confirmRollback: true } : {};
    const request = {
      conversationId: id,
      message: text,
      onBusy,
      now,
      idempotencyKey: text,
      ...confirmRollback,
    };
    const turn = await repeat(() => unlessBusy(client.turns.start(request)), giveUp.signal);
    if (!turn) return;
    texts.push(text);
    const one = { id: turn.id, order: text, execution, acceptedAt: Date.now() };
    accepted.push(one);
    settling.push(watcher.settled(one));
    if (Math.random() < cancelledShare) settling.push(cancel(turn.id));
  }

  async function cancel(turnId: string): Promise<void> {
    await sleep(Math.random() * longestCancelMs);
    await repeat(() => client.turns.cancel(turnId), giveUp.signal);
  }

  async function talk(number: number): Promise<void> {
    const execution = pick(executionModes, number);
    const agents = number % 4 < 2 ? world.agentIds : world.askingAgentIds;
    const create = () => client.conversations.create({ agentId: agents[execution] });
    const created = await repeat(create, giveUp.signal);
    if (!created) return;
    const conversation: BusyConversation = { id: created.id, execution, texts: [] };
    conversations.push(conversation);
    for (let index = 1; index <= messagesOfEach && !stopping.signal.aborted; index++) {
      await send(conversation, `${name}-${number}.${index}`);
      await sleep(Math.random() * longestPauseMs);
    }
  }

  const running = Array.from({ length: lanes }, async () => {
    while (!stopping.signal.aborted) await talk(count++);
  });
  return {
    accepted,
    stop: async () => {
      stopping.abort();
      await withPatience(Promise.all(running).then(() => Promise.all(settling)));
      giveUp.abort();
      await people.stop();
      await watcher.close();
    },
    check: async (turns) => {
      const chosen = conversations.filter(({ execution }) => execution === turns[0]?.execution);
      return [
        ...(await findMessageFaults(world, chosen)),
        ...(await findApprovalFaults(world, turns, people.accepted)),
      ];
    },
  };
}

/** Null when a turn runs and the message does not say what happens to it. */
async function unlessBusy<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof HoldfastApiError && error.code === 'TURN_RUNNING') return null;
    throw error;
  }
}

async function findMessageFaults(
  { databaseUrl, model }: World,
  conversations: BusyConversation[],
): Promise<string[]> {
  const ids = conversations.map(({ id }) => id);
  const stored = await readMessages(databaseUrl, ids);
  return conversations.flatMap(({ id, texts }) => [
    ...findCancelledMessageProblems(texts, stored.get(id) ?? [], model.prompts.mostOf),
    ...texts.flatMap(model.prompts.problemsFrom),
  ]);
}

/** A call of a turn that was cancelled after its approval is skipped, which the ledger says. */
async function findApprovalFaults(
  { databaseUrl, shop }: World,
  turns: AcceptedTurn[],
  decisions: ReturnType<typeof startPeople>['accepted'],
): Promise<string[]> {
  const approvals = await readApprovals(databaseUrl, turns);
  return findApprovalProblems({
    // Half of the agents do not ask.
    orders: [],
    approvals: approvals.filter(({ callStatus }) => callStatus !== 'skipped'),
    decisions,
    executions: shop.executions,
  });
}
