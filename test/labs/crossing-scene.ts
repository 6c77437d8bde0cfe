import { setTimeout as sleep } from 'node:timers/promises';
import { createBudget } from '../../src/modules/credits/budgets/change-budgets.ts';
import { setPrices } from '../../src/modules/credits/workspace-prices.ts';
import { createMessageRepository } from '../../src/modules/turns/messages/message-repository.ts';
import type { Message } from '../../src/domain/conversation.ts';
import type { TurnDetails, TurnInput } from '../../src/domain/turn.ts';
import { isSettled } from '../../src/domain/turn-status.ts';
import type { TurnRow } from '../../src/modules/turns/turn-rows.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { cancelTurn } from '../../src/modules/turns/cancel-turn.ts';
import type { ChatRequestBody } from '../servers/scripted-model.ts';
import { isStopped, toAgent, toLastCall, toReply, type Crossing } from './crossing-case.ts';
import { eventually } from './eventually.ts';
import { startTurnLab, type TurnLab } from './turn-lab.ts';
import { createLabScene } from './turn-lab-scene.ts';

/** The stored state of a conversation in which a message crossed the end of a turn. */
export interface CrossingEvidence {
  /** All accepted messages, with their turns: that of the crossed turn, and the message that crossed its end. */
  sent: { text: string; turn: TurnDetails }[];
  messages: Message[];
  /** The texts of the user in each prompt. */
  prompts: string[][];
  /** The number of the prompt of the last model call of the crossed turn. */
  lastCall: number;
}

/** A message that crosses the end of a turn, step by step. */
export interface CrossingScene {
  /** Starts the turn, and waits for its last model call. */
  begin: () => Promise<void>;
  /** Sends the message and ends the turn. */
  cross: () => Promise<void>;
  /** Waits for the end of the crossed turn. */
  waitForEnd: () => Promise<unknown>;
  /** Waits for the ends of all turns. */
  settle: () => Promise<CrossingEvidence>;
}

/** The maximum number of model calls of a crossing: two of each of its three turns, and some that are made again. */
const mostCalls = 9;

const sweepEveryMs = 1_000;
const longestSweepMs = 5_000;

/** The text of the message whose turn ends, and of that which crosses its end. */
export const crossedText = 'Crossed.';
export const crossingText = 'Crossing.';

/** Starts a laboratory for crossings, in which each model call costs 1,000 credits. */
export async function startCrossingLab(temporalAddress?: string): Promise<TurnLab> {
  const lab = await startTurnLab(temporalAddress === undefined ? {} : { temporalAddress });
  await setPrices(lab, lab, { '*': { input: 0, output: 0, perCall: 0.001 } });
  return lab;
}

/** Sweeps until the returned function is called, as a schedule does in a deployment. */
export function startSweeping(lab: TurnLab): () => Promise<void> {
  const ended = new AbortController();
  const pause = (timeMs: number) => sleep(timeMs, undefined, { signal: ended.signal }).catch(() => undefined);
  const sweeps: Promise<unknown>[] = [];
  const sweeping = (async () => {
    while (!ended.signal.aborted) {
      await pause(sweepEveryMs);
      const sweep = lab.sweep().catch(() => undefined);
      sweeps.push(sweep);
      // A sweep that began before Temporal became unreachable answers late.
      await Promise.race([sweep, pause(longestSweepMs)]);
    }
    await Promise.race([Promise.all(sweeps), sleep(longestSweepMs)]);
  })();
  return () => {
    ended.abort();
    return sweeping;
  };
}

/** Creates the agent and the conversation of a crossing. */
export async function createCrossing(lab: TurnLab, crossing: Crossing): Promise<CrossingScene> {
  const { end, message } = crossing;
  const last = toLastCall(crossing);
  const conversation = await openConversation(lab, crossing);
  const { say, open, waitForCall } = conversation;
  const send = async () => {
    const now = message === 'hurried' && { now: true };
    await say(crossingText, { onBusy: message === 'enqueued' ? 'enqueue' : 'steer', ...now });
    // Unless the turn is to stop, another call is made in place of the one that ends.
    if (now && (end === 'deadline' || !isStopped(end))) await waitForCall(last + 1);
  };
  return {
    begin: async () => {
      if (end === 'budget') await limitCredits(lab, conversation.id);
      await say(crossedText, { onBusy: 'reject' });
      await waitForCall(1);
      if (message === 'seen') await send();
      if (last > 1) open((call) => call === 1);
      await waitForCall(last);
    },
    cross: async () => {
      if (end === 'cancel') await conversation.cancel();
      if (end === 'interrupt' || end === 'rollback') await say('Ending.', { onBusy: end });
      if (message !== 'seen') await send();
      // A call that is made again after a failure would otherwise answer a turn that is to stop.
      const staysClosed = (call: number) =>
        isStopped(end) && (message === 'hurried' ? call === last : call >= last);
      open((call) => !staysClosed(call));
    },
    waitForEnd: conversation.waitForEnd,
    settle: async () => {
      await conversation.waitForEnd();
      open(() => true);
      await eventually(
        () => lab.database.system('turns').where({ conversation_id: conversation.id }).pluck('status'),
        (statuses) => statuses.every(isSettled),
      );
      return conversation.read();
    },
  };
}

type IsStored = (row: TurnRow) => boolean;

/** Opens a conversation whose model calls each wait until they are opened, by their numbers. */
async function openConversation(lab: TurnLab, crossing: Crossing) {
  // A message is accepted also while Temporal cannot be reached.
  const turns = { ...lab.turns, logger: { warn: () => undefined, debug: () => undefined } };
  const scene = await createLabScene({ ...lab, turns }, toAgent(crossing));
  const gates = Array.from({ length: mostCalls }, () => Promise.withResolvers<undefined>());
  gates.forEach(({ promise: until }, index) =>
    scene.reply({ ...toReply(crossing, index + 1), until, isOptional: true }),
  );
  const turnIds = new Map<string, string>();
  const idOf = (text: string) => turnIds.get(text) ?? '';
  const isOver = async () => isSettled((await lab.readTurn(idOf(crossedText))).status);
  const notified: Promise<unknown>[] = [];
  /** Waits until a turn is stored as asked, but not until a workflow was notified. */
  const untilStored = async (id: string, work: Promise<unknown>, isStored: IsStored = () => true) => {
    notified.push(work);
    await Promise.race([work, waitForTurn(lab, id, isStored)]);
  };
  return {
    id: scene.conversationId,
    open: (opens: (call: number) => boolean) =>
      gates.forEach((gate, index) => opens(index + 1) && gate.resolve(undefined)),
    say: async (text: string, treatment: Pick<TurnInput, 'onBusy' | 'now'>) => {
      const turnId = newId();
      turnIds.set(text, turnId);
      await untilStored(turnId, scene.say(text, { turnId, ...treatment }));
    },
    cancel: async () => {
      const id = idOf(crossedText);
      await untilStored(id, cancelTurn(turns, lab, id), (row) => row.cancel_requested_at !== null);
    },
    waitForCall: async (count: number) => {
      await eventually(
        async () => scene.requests().length >= count || (await isOver()),
        (isThere) => isThere,
      );
    },
    waitForEnd: () => lab.waitUntilSettled(idOf(crossedText)),
    read: async (): Promise<CrossingEvidence> => {
      await Promise.all(notified);
      const sent = [...turnIds].map(async ([text, id]) => ({ text, turn: await lab.readTurn(id) }));
      const page = { conversationId: scene.conversationId, limit: 100 };
      const messages = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
        createMessageRepository(trx).listMessages(page),
      );
      return {
        sent: await Promise.all(sent),
        messages: messages.items,
        prompts: scene.requests().map(({ body }) => toUserTexts(body)),
        lastCall: toLastCall(crossing),
      };
    },
  };
}

async function waitForTurn(lab: TurnLab, id: string, isStored: IsStored): Promise<void> {
  await eventually(
    () => lab.database.system<TurnRow>('turns').where({ id }).first(),
    (row) => row !== undefined && isStored(row),
  );
}

function toUserTexts({ messages }: ChatRequestBody): string[] {
  return messages.flatMap(({ role, content }) => (role === 'user' ? (content ?? '').split('\n\n') : []));
}

/** Lets a conversation pay for one model call. */
async function limitCredits(lab: TurnLab, subject: string): Promise<void> {
  await createBudget(lab, lab, { scope: 'conversation', subject, period: 'total', credits: 1_500n });
}
