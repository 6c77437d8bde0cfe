import { afterAll, beforeAll, expect, test } from 'vitest';
import { executionModes } from '../../../../src/domain/agent.ts';
import { findFreePort } from '../../../../src/main/dev/ports.ts';
import { startLabApiProcess } from '../../../labs/lab-api.ts';
import { calculate } from '../../../labs/lab-tools.ts';
import { createRandom } from '../../../labs/random.ts';
import {
  createReplaceableApi,
  followByClient,
  startReturningReader,
  toData,
  toReceived,
  toShownAnswers,
  type ReplaceableApi,
} from '../../../labs/returning-reader.ts';
import { startTurnLab, type TurnLab } from '../../../labs/turn-lab.ts';
import type { WorkerProcess } from '../../../labs/turn-lab-worker.ts';
import type { ChatRequestBody, ScriptEntry } from '../../../servers/scripted-model.ts';
import { startPlannedModel, type PlannedModel } from '../../../servers/planned-model.ts';

const { HOLDFAST_RANDOM_SEED, HOLDFAST_RANDOM_KILLS } = process.env;
const seed = Number(HOLDFAST_RANDOM_SEED ?? 1);
const kills = Number(HOLDFAST_RANDOM_KILLS ?? 8);
const random = createRandom(seed);
const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;

const leastTurns = 3;
const lastMessage = 'last';
const rounds = 2;
const conversationsOfMode = 3;
/** The time limits of a turn that is interrupted many times. */
const patient = { activityTimeoutMs: 120_000, turnTimeoutMs: 600_000 };

let lab: TurnLab;
let model: PlannedModel;
let api: ReplaceableApi;
let worker: WorkerProcess;

beforeAll(async () => {
  model = await startPlannedModel({ intercept: createAnswers() });
  lab = await startTurnLab({ worker: false, environment: { HOLDFAST_COMPATIBLE_BASE_URL: model.baseUrl } });
  const PORT = String(await findFreePort());
  api = createReplaceableApi(() => startLabApiProcess(lab, { PORT }));
  [worker] = await Promise.all([lab.startWorkerProcess(), api.start()]);
});

afterAll(async () => {
  await api.kill();
  await lab.close();
  await model.close();
});

/** Two rounds of tool calls, and then the answer. Each text names its request, so that no two are the same. */
function createAnswers(): (body: ChatRequestBody) => ScriptEntry {
  const requests = new Map<string, number>();
  return ({ model: name, messages }) => {
    const turn = messages.filter(({ role }) => role === 'user').length;
    const start = messages.findLastIndex(({ role }) => role === 'user');
    const round = messages.slice(start).filter(({ role }) => role === 'assistant').length + 1;
    const key = `turn ${turn}, round ${round}`;
    const request = (requests.get(name + key) ?? 0) + 1;
    requests.set(name + key, request);
    const words = Array.from({ length: 5 + random(40) }, (_, index) => `word${index}`);
    const text = `${key}, request ${request}: ${words.join(' ')}`;
    const call = { name: 'calculate', arguments: { expression: `${turn} + ${round}` } };
    return { text, chunkDelayMs: 5 + random(10), ...(round > rounds ? {} : { toolCalls: [call] }) };
  };
}

/** Kills processes one after the other, each when the readers have seen some frames after the one before was replaced. */
function createKiller() {
  const killed: string[] = [];
  let left = random(60);
  let isBusy = false;
  let replaced: Promise<void> = Promise.resolve();
  const replaceApi = () => api.kill().then(api.start);
  const replaceWorker = async () => {
    const [next] = await Promise.all([lab.startWorkerProcess(), worker.kill()]);
    worker = next;
  };
  const killSome = async () => {
    const victim = pick(['api', 'worker', 'both']);
    killed.push(victim);
    await Promise.all([
      ...(victim === 'worker' ? [] : [replaceApi()]),
      ...(victim === 'api' ? [] : [replaceWorker()]),
    ]);
    left = random(60);
    isBusy = false;
  };
  return {
    killed,
    onFrame: () => {
      left -= 1;
      if (isBusy || left > 0 || killed.length === kills) return;
      isBusy = true;
      replaced = killSome();
    },
    finish: () => replaced,
  };
}

async function finish(turnId: Promise<string>): Promise<void> {
  const { outcome } = await lab.waitForOutcome(await turnId);
  expect(outcome).toBe('completed');
}

test(`with seed ${seed}, each reader gets each event and each piece once, whichever processes are killed`, async () => {
  const killer = createKiller();
  const modes = executionModes.flatMap((mode) => Array.from({ length: conversationsOfMode }, () => mode));
  const conversations = await Promise.all(
    modes.map(async (execution) => {
      const { conversationId, say } = await lab.scene({ execution, tools: [calculate], limits: patient });
      const all = { path: `/api/conversations/${conversationId}/events`, lastMessage };
      const reader = startReturningReader(api, { ...all, onFrame: killer.onFrame });
      const leaver = startReturningReader(api, { ...all, leavesAfter: () => random(4) === 0 });
      const client = followByClient(await api.current(), { conversationId, lastMessage });
      return { conversationId, say, all, reader, leaver, client };
    }),
  );
  await Promise.all(
    conversations.map(async ({ say }) => {
      for (let turn = 1; turn < leastTurns || killer.killed.length < kills; turn += 1)
        await finish(say(`${turn}`));
      await finish(say(lastMessage));
    }),
  );
  await killer.finish();
  for (const { conversationId, all, reader, leaver, client } of conversations) {
    const frames = await reader.done;
    const stored = await lab.readEvents(conversationId);
    expect(toData(frames).filter((data) => 'seq' in data)).toEqual(stored);
    const seen = toShownAnswers(frames);
    expect(seen).toHaveLength(stored.filter(({ type }) => type === 'turn.settled').length * (rounds + 1));
    // An answer that arrives at the worker as a whole has no pieces.
    expect(seen.filter(({ shown, text }) => shown !== '' && shown !== text)).toEqual([]);
    expect(await leaver.done).toEqual(frames);
    expect(await client).toEqual(toReceived(frames));
    expect(await startReturningReader(api, all).done).toEqual(frames);
  }
}, 300_000);
