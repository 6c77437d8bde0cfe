import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordWorkflow } from '../../labs/histories.ts';
import { judgeByLength } from '../../labs/judge-model.ts';
import type { Plan } from '../../servers/planned-model.ts';
import {
  createReplayedAgent,
  readRuns,
  readSummary,
  recordConversation,
  replay,
  startReplayLab,
  type ReplayLab,
} from '../../labs/replay-scene.ts';

let scene: ReplayLab;

beforeAll(async () => {
  scene = await startReplayLab({ intercept: judgeByLength });
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
    calls: { exact: 36, nearest: 0, stored: 0, stub: 0, live: 0, blocked: 0, refused: 0, missed: 0 },
    lanes: { baseline: { passed: 6 }, candidate: { passed: 6, trajectories: { exact: 6 } } },
    differences: { none: 6 },
    unasked: 0,
  });
  expect(scene.called).toHaveLength(called);
  await recordWorkflow(scene.lab, 'batch-replay', `replay-${ended.id}`);
  const runs = await readRuns(scene, ended.id);
  for (const { lane, comparison } of runs) {
    if (lane !== 'original')
      expect(comparison).toMatchObject({ passed: true, scores: { exact: 1, trajectory: 1 } });
  }
});

test('a tag selects the turns of the conversations that have it', async () => {
  const agent = await createReplayedAgent(scene);
  const [first] = await recordConversation(scene, agent.id, planConversation(1, 2));
  await recordConversation(scene, agent.id, planConversation(2, 1));
  await scene.api.ask('PATCH', `/api/conversations/${first?.conversationId}`, { tags: ['vip', 'other'] });
  const selection = { agentId: agent.id, tag: 'vip' };
  expect(await replay(scene, { selection })).toMatchObject({ status: 'completed', cases: 2 });
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
  expect(changed[0]?.run?.turns[0]?.steps[0]?.calls).toMatchObject([
    { answeredBy: 'nearest', result: 'look_up {"query":"1"}' },
  ]);
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
    difference: { iteration: 2, kind: 'refused', expected: 'look_up {"query":"second"}' },
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
  expect(candidate?.comparison?.passed).toBe(false);
  expect(candidate?.comparison?.firstDifference).toMatchObject(difference);
  expect(await readSummary(scene, ended.id)).toMatchObject({ outside: { connectionsOpened: 0 } });
});

test('a conversation that runs free follows what the replay itself has said', async () => {
  const agent = await createReplayedAgent(scene);
  const edited = { rounds: [], answer: 'Short.' };
  const first = { rounds: [[lookUp('a')]], answer: 'Long.', instructed: { 'Be brief.': edited } };
  const turns = await recordConversation(scene, agent.id, [first, { rounds: [[add('b')]], answer: 'Done.' }]);
  const asked = scene.model.requests.length;

  const ended = await replay(scene, {
    ...{ selection: { agentId: agent.id }, mode: 'conversations', baseline: false },
    candidate: { instructions: 'Be brief.' },
  });

  expect(ended).toMatchObject({ status: 'completed', cases: 1, runs: { done: 1 } });
  const [, candidate] = await readRuns(scene, ended.id);
  expect(candidate?.run?.turns.map(({ turnId, answer }) => [turnId, answer])).toEqual([
    [turns[0]?.id, 'Short.'],
    [turns[1]?.id, 'Done.'],
  ]);
  expect(candidate?.run?.turns[0]?.unasked).toMatchObject([{ name: 'look_up' }]);
  const said = scene.model.requests
    .slice(asked)
    .map(({ messages }) => messages.map(({ content }) => content));
  expect(said.at(-1)).toContain('Short.');
  expect(said.at(-1)).not.toContain('Long.');
});

test('a call that a rule of the candidate blocks is reported with its rule', async () => {
  const agent = await createReplayedAgent(scene);
  await recordConversation(scene, agent.id, [{ rounds: [[lookUp('a')], [add('b')]], answer: 'Done.' }]);
  const rules = { toolPolicies: { add: { allowedValues: { item: ['c'] } } } };

  const ended = await replay(scene, { selection: { agentId: agent.id }, candidate: { rules } });

  const candidate = (await readRuns(scene, ended.id)).find(({ lane }) => lane === 'candidate');
  expect(candidate?.run?.turns[0]?.steps[1]?.calls).toMatchObject([
    { name: 'add', answeredBy: 'blocked', status: 'blocked', rule: 'policy' },
  ]);
  expect(candidate?.comparison?.firstDifference).toMatchObject({ iteration: 2, kind: 'rule' });
  expect(await readSummary(scene, ended.id)).toMatchObject({ lanes: { candidate: { ruleBlocks: 1 } } });
});

test('a replay says before which calls a person would be asked, and asks nobody', async () => {
  const agent = await createReplayedAgent(scene);
  await recordConversation(scene, agent.id, [
    { rounds: [[add('small')], [add('large one')]], answer: 'Done.' },
  ]);
  const rules = { toolPolicies: { add: { approvalWhen: { properties: { item: { minLength: 8 } } } } } };
  const called = scene.called.length;

  const ended = await replay(scene, { selection: { agentId: agent.id }, candidate: { rules } });

  const candidate = (await readRuns(scene, ended.id)).find(({ lane }) => lane === 'candidate');
  const calls = candidate?.run?.turns[0]?.steps.flatMap((step) => step.calls);
  expect(calls).toMatchObject([{ answeredBy: 'exact' }, { answeredBy: 'exact', asks: ['item.length >= 8'] }]);
  expect(calls?.[0]).not.toHaveProperty('asks');
  expect(await readSummary(scene, ended.id)).toMatchObject({
    lanes: { baseline: { asks: 0 }, candidate: { asks: 1, passed: 1 } },
  });
  expect(scene.called).toHaveLength(called);
});

test('a call without a recorded answer stops its case, or gets a stub, or goes to a tool that only reads', async () => {
  const agent = await createReplayedAgent(scene);
  const other = { rounds: [[lookUp('b')], [add('c')]], answer: 'Looked.' };
  const plan = { rounds: [], answer: 'No tool.', instructed: { 'Use tools.': other } };
  await recordConversation(scene, agent.id, [plan]);
  const asked = {
    selection: { agentId: agent.id },
    candidate: { instructions: 'Use tools.' },
    baseline: false,
  };
  const run = async (more: object) => {
    const ended = await replay(scene, { ...asked, ...more });
    const candidate = (await readRuns(scene, ended.id)).find(({ lane }) => lane === 'candidate');
    return { summary: await readSummary(scene, ended.id), turn: candidate?.run?.turns[0] };
  };
  const called = scene.called.length;

  const stopped = await run({});
  expect(stopped.turn).toMatchObject({
    outcome: 'missed',
    error: { message: expect.stringContaining('look_up') as string },
  });
  const stubbed = await run({ onMiss: 'stub', stubs: { look_up: 'A stub.' } });
  expect(stubbed.turn).toMatchObject({ outcome: 'completed', answer: 'Looked.' });
  expect(stubbed.summary).toMatchObject({ calls: { stub: 2 }, outside: { connectionsOpened: 0 } });
  expect(scene.called).toHaveLength(called);

  const live = await run({ onMiss: 'live_if_read_only' });
  expect(live.turn).toMatchObject({ outcome: 'missed' });
  expect(live.turn?.steps[0]?.calls).toMatchObject([{ answeredBy: 'live', result: 'look_up {"query":"b"}' }]);
  expect(live.summary.outside.connectionsOpened).toBeGreaterThan(0);
  expect(scene.called.slice(called)).toEqual(['look_up']);
});

test('a ceiling stops a replay in order, and its report has what was run until then', async () => {
  const agent = await createReplayedAgent(scene);
  await recordTurns(agent.id, 6);
  const ended = await replay(scene, {
    ...{ selection: { agentId: agent.id }, concurrency: 1, baseline: false },
    ceiling: { tokens: 150 },
  });
  expect(ended.status).toBe('stopped');
  expect(ended.spent.tokens).toBeGreaterThanOrEqual(150);
  expect(ended.runs.done).toBeLessThan(6);
  expect((await readSummary(scene, ended.id)).lanes.candidate?.runs).toBe(ended.runs.done);
});

test('a judge sees each answer in both orders, and its agreement with people is counted', async () => {
  const agent = await createReplayedAgent(scene);
  const other = { rounds: [], answer: 'Short.' };
  const turns = [
    ...(await recordConversation(scene, agent.id, [
      { ...other, answer: 'Long.', instructed: { 'Be brief.': other } },
    ])),
    ...(await recordConversation(scene, agent.id, [{ rounds: [], answer: 'Long.' }])),
  ];
  const [changed, same] = turns.map(({ id }) => id);
  const labels = { [changed ?? '']: 'better', [same ?? '']: 'better' };
  const input = {
    ...{ selection: { agentId: agent.id }, candidate: { instructions: 'Be brief.' } },
    judge: { model: 'compatible/judge', rubric: 'Shorter is better.', labels },
  };

  const ended = await replay(scene, input);

  expect(await readSummary(scene, ended.id)).toMatchObject({
    judge: { better: 1, worse: 0, tie: 1, flipped: 1, labelled: 2, agreed: 1 },
    outside: { connectionsOpened: 0, credentialsDecrypted: 0 },
  });
  const runs = (await readRuns(scene, ended.id)).filter(({ lane }) => lane === 'candidate');
  expect(runs.map(({ comparison }) => comparison?.judged)).toMatchObject([
    { verdict: 'better', flipped: false, reasons: ['Because.', 'Because.'] },
    { verdict: 'tie', flipped: true },
  ]);
  expect(runs.map(({ comparison }) => comparison?.scores['judge'])).toEqual([1, 0.5]);

  const unjudged = await replay(scene, {
    ...input,
    judge: { model: 'compatible/judge-broken', rubric: 'Any.' },
  });
  expect(unjudged).toMatchObject({ status: 'completed', runs: { failed: 0 } });
  expect(await readSummary(scene, unjudged.id)).toMatchObject({ judge: { better: 0, worse: 0, tie: 0 } });
});
