import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Plan } from '../servers/planned-model.ts';
import {
  createReplayedAgent,
  readRuns,
  readSummary,
  recordConversation,
  replay,
  startReplayLab,
  type ReplayLab,
} from '../labs/replay-scene.ts';

let scene: ReplayLab;

beforeAll(async () => {
  scene = await startReplayLab();
});

afterAll(() => scene.close());

const lookUp = (query: string) => ({ tool: 'Looks', arguments: { query } });
const add = (item: string) => ({ tool: 'Adds', arguments: { item } });

/** Plans of a conversation with so many turns, whose tool calls are its own. */
function planConversation(number: number, turns: number): Plan[] {
  return Array.from({ length: turns }, (_, index) => {
    const name = `${number}/${index}`;
    return { rounds: [[lookUp(name), add(name)], [lookUp(`${name} again`)]], answer: `It is ${name}.` };
  });
}

test('the same version replays every turn as it was, and reaches nothing but the model', async () => {
  const agent = await createReplayedAgent(scene);
  for (const number of [1, 2, 3]) await recordConversation(scene, agent.id, planConversation(number, number));
  const called = scene.called.length;

  const ended = await replay(scene, { selection: { agentId: agent.id } });

  expect(ended).toMatchObject({ status: 'completed', cases: 6, runs: { total: 12, done: 12, failed: 0 } });
  const summary = await readSummary(scene, ended.id);
  expect(summary).toMatchObject({
    outside: { connectionsOpened: 0, credentialsDecrypted: 0 },
    calls: { exact: 36, nearest: 0, stub: 0, live: 0, blocked: 0, refused: 0, missed: 0 },
    lanes: { baseline: { passed: 6 }, candidate: { passed: 6, trajectories: { exact: 6 } } },
    differences: { none: 6 },
    unasked: 0,
  });
  expect(scene.called).toHaveLength(called);
  const runs = await readRuns(scene, ended.id);
  for (const { lane, comparison } of runs) {
    if (lane !== 'original') expect(comparison).toMatchObject({ passed: true, scores: { exact: 1, trajectory: 1 } });
  }
});

/** Records turns of one round each: the numbers are their own, those of `edited` answer in another way under an instruction. */
async function recordTurns(agentId: string, count: number, edited: ReadonlySet<number> = new Set()) {
  for (let number = 0; number < count; number += 1) {
    const plan: Plan = { rounds: [[lookUp(`${number}`)]], answer: `It is ${number}.` };
    const other = { rounds: [[lookUp(`${number} briefly`)]], answer: 'Short.' };
    const instructed = edited.has(number) ? { instructed: { 'Be brief.': other } } : {};
    await recordConversation(scene, agentId, [{ ...plan, ...instructed }]);
  }
}

test('an edited prompt is found to change exactly the cases that it changes', async () => {
  const agent = await createReplayedAgent(scene);
  const edited = new Set([1, 4, 5]);
  await recordTurns(agent.id, 8, edited);

  const ended = await replay(scene, {
    ...{ selection: { agentId: agent.id }, candidate: { instructions: 'Be brief.' } },
    pass: { answer: 'exact' },
  });

  const runs = await readRuns(scene, ended.id);
  const changed = runs.filter(({ lane, comparison }) => lane === 'candidate' && comparison?.passed === false);
  expect(changed.map(({ position }) => position)).toEqual([...edited]);
  expect(changed[0]?.comparison).toMatchObject({
    trajectory: 'arguments_differ',
    firstDifference: { turn: 1, iteration: 1, kind: 'arguments', expected: 'look_up {"query":"1"}' },
    scores: { exact: 0, trajectory: 0 },
  });
  expect(changed[0]?.run?.turns[0]?.steps[0]?.calls).toMatchObject([{ answeredBy: 'nearest', result: 'look_up {"query":"1"}' }]);
  expect(await readSummary(scene, ended.id)).toMatchObject({
    lanes: { baseline: { passed: 8 }, candidate: { passed: 5 } },
    differences: { none: 5, arguments: 3 },
  });
});

const oneSchema = { type: 'object', properties: { query: { type: 'integer' } }, required: ['query'] };

test.for([
  {
    what: 'removed',
    tools: { remove: ['look_up'] },
    difference: { iteration: 2, kind: 'answered_early', expected: 'look_up {"query":"second"}' },
    outcome: 'completed',
  },
  {
    what: 'renamed',
    tools: { change: { look_up: { name: 'search' } } },
    difference: { iteration: 2, kind: 'tool_changed', found: 'search {"query":"second"}' },
    outcome: 'missed',
  },
  {
    what: 'with other arguments',
    tools: { change: { look_up: { schema: oneSchema } } },
    difference: { iteration: 3, kind: 'answered_late' },
    outcome: 'completed',
  },
])('a tool $what is found at the step that it changes', async ({ tools, difference, outcome }) => {
  const agent = await createReplayedAgent(scene);
  const plan = { rounds: [[add('first')], [lookUp('second')]], answer: 'Done.' };
  const [turn] = await recordConversation(scene, agent.id, [plan]);
  const selection = { turnIds: [turn?.id] };

  const ended = await replay(scene, { selection, candidate: { tools } });

  const candidate = (await readRuns(scene, ended.id)).find(({ lane }) => lane === 'candidate');
  expect(candidate?.run?.turns[0]?.outcome).toBe(outcome);
  if (difference.kind !== 'answered_late') expect(candidate?.comparison?.firstDifference).toMatchObject(difference);
  expect(await readSummary(scene, ended.id)).toMatchObject({ outside: { connectionsOpened: 0 } });
});
