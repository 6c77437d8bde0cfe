import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createReplayedAgent,
  readRuns,
  readSummary,
  recordConversation,
  replay,
  startReplayLab,
  type ReplayLab,
} from '../../labs/replay-scene.ts';
import type { Plan } from '../../servers/planned-model.ts';

/** `HOLDFAST_REPLAYED_CONVERSATIONS=300` takes some minutes. */
const conversations = Number(process.env['HOLDFAST_REPLAYED_CONVERSATIONS'] ?? 30);
const recordedAtOnce = 6;

/** Of so many conversations one has a turn that an edited prompt changes. */
const everyEdited = 10;

let scene: ReplayLab;
let agentId: string;
/** The ids of the turns that the edited prompt changes. */
const edited = new Set<string>();
let turns = 0;
let called = 0;

const lookUp = (query: string) => ({ tool: 'Looks', arguments: { query } });
const add = (item: string) => ({ tool: 'Adds', arguments: { item } });

/** Conversations of one to eight turns, whose turns call no tool, one, or several one after another. */
function planConversation(number: number): Plan[] {
  return Array.from({ length: (number % 8) + 1 }, (_, index) => {
    const name = `${number}/${index}`;
    const rounds = [[lookUp(name), add(name)], [lookUp(`${name} again`)]].slice(0, (number + index) % 3);
    const isEdited = index === 0 && number % everyEdited === 0;
    const other = { rounds: [[lookUp(`${name} briefly`)]], answer: 'Short.' };
    return { rounds, answer: `It is ${name}.`, ...(isEdited ? { instructed: { 'Be brief.': other } } : {}) };
  });
}

beforeAll(async () => {
  scene = await startReplayLab();
  ({ id: agentId } = await createReplayedAgent(scene));
  const numbers = Array.from({ length: conversations }, (_, number) => number).values();
  const lane = async () => {
    for (const number of numbers) {
      const recorded = await recordConversation(scene, agentId, planConversation(number));
      turns += recorded.length;
      if (number % everyEdited === 0 && recorded[0]) edited.add(recorded[0].id);
    }
  };
  await Promise.all(Array.from({ length: recordedAtOnce }, lane));
  called = scene.called.length;
}, 900_000);

afterAll(() => scene.close());

test('the version that recorded them replays all conversations with the same calls and answers, and calls no tool', async () => {
  const ended = await replay(scene, { selection: { agentId }, baseline: false, concurrency: 8 });

  expect(ended).toMatchObject({ status: 'completed', cases: turns, runs: { done: turns, failed: 0 } });
  const runs = (await readRuns(scene, ended.id)).filter(({ lane }) => lane === 'candidate');
  const same = runs.filter(
    ({ comparison }) => comparison?.trajectory === 'exact' && comparison.scores['exact'] === 1,
  );
  expect(same).toHaveLength(turns);
  expect(new Set(same.map(({ conversationId }) => conversationId)).size).toBe(conversations);
  expect(await readSummary(scene, ended.id)).toMatchObject({
    outside: { connectionsOpened: 0, credentialsDecrypted: 0 },
    calls: { nearest: 0, missed: 0 },
    unasked: 0,
  });
  expect(scene.called).toHaveLength(called);
}, 600_000);

test('an edited prompt changes exactly the turns that it is about', async () => {
  const ended = await replay(scene, {
    ...{ selection: { agentId }, candidate: { instructions: 'Be brief.' }, baseline: false, concurrency: 8 },
    pass: { answer: 'exact' },
  });

  const runs = (await readRuns(scene, ended.id)).filter(({ lane }) => lane === 'candidate');
  const changed = runs.filter(({ comparison }) => comparison?.passed === false);
  expect(new Set(changed.map(({ run }) => run?.turns[0]?.turnId))).toEqual(edited);
  expect(edited.size).toBe(Math.ceil(conversations / everyEdited));
  expect(scene.called).toHaveLength(called);
}, 600_000);
