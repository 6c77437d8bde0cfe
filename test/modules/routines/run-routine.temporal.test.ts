import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { eventually } from '../../labs/eventually.ts';
import { createRoutineScene, toDocument } from '../../labs/routine-scene.ts';
import type { ChatRequestBody } from '../../servers/scripted-model.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

let lab: TurnLab;

beforeAll(async () => {
  lab = await shareTurnLab();
});

afterAll(() => lab.close());

const runRoutine = {
  ...{ type: 'function' as const, name: 'run_routine', description: 'Runs routines.' },
  ...{ schema: { type: 'object' }, config: {} },
};

const call = (given: JsonObject) => ({ toolCalls: [{ name: 'run_routine', arguments: given }] });

const calculate = {
  ...{ type: 'function' as const, name: 'sum', description: 'Adds.', schema: { type: 'object' } },
  config: { functionName: 'calculate' },
};

test('a routine that names no agent acts as the one that starts it, and so do the routines that it runs', async () => {
  const scene = await createRoutineScene(lab, {
    tools: [runRoutine, calculate],
    rules: {
      toolPolicies: {},
      canaryTokens: [],
      toolAllowlist: ['run_routine', 'sum'],
      onBlocked: 'continue',
    },
  });
  const inner = "  - add: { call: sum, with: { expression: '1 + 1' } }";
  await scene.store(toDocument('unnamed-inner', inner), null);
  const outer = `  - add: { run: { workflow: { namespace: test, name: unnamed-inner, version: latest } } }
  - blocked: { call: current_time, with: {} }`;
  const { id: routineId } = await scene.store(toDocument('unnamed', outer), null);
  scene.reply(call({ action: 'start', routineId }), { text: 'It is done.' });

  const turnId = await scene.say('Start it.');
  await lab.waitForOutcome(turnId);

  const [first] = await lab.readLedger(turnId);
  const { runId } = JSON.parse(first?.result ?? 'null') as { runId: string };
  const run = await scene.end(runId);
  expect(run).toMatchObject({ agentId: scene.agent.id, status: 'faulted', error: { title: 'TOOL_BLOCKED' } });
  expect(run.steps[0]).toMatchObject({ state: 'completed', outputPreview: '2' });
  await expect(scene.start(routineId)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  const started = await scene.start(routineId, {}, { agentId: scene.agent.id });
  expect(await scene.end(started)).toMatchObject({ agentId: scene.agent.id, status: 'faulted' });
});

test('an agent starts a routine, gets the output of one that ends soon, and stops one that does not', async () => {
  const scene = await createRoutineScene(lab, { tools: [runRoutine] });
  const short = await scene.store(toDocument('short', "  - one: { set: { doubled: '${ .value * 2 }' } }"));
  const long = await scene.store(toDocument('long', '  - sleep: { wait: PT1H }'));
  scene.reply(
    call({ action: 'start', routineId: short.id, input: { value: 4 } }),
    call({ action: 'start', routineId: long.id, wait: false }),
    { text: 'Both are started.' },
  );

  const turnId = await scene.say('Start them.');
  expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed' });

  const [first, second] = (await lab.readLedger(turnId)).map(
    ({ result }) => JSON.parse(result ?? 'null') as object,
  );
  expect(first).toMatchObject({ status: 'completed', output: { doubled: 8 } });
  expect(second).toMatchObject({ status: 'running' });
  const { runId } = second as { runId: string };
  await scene.until(runId, ({ steps }) => steps.length === 1);

  scene.reply(call({ action: 'stop', runId, mode: 'now' }), call({ action: 'status', runId }), {
    text: 'Done.',
  });
  const stopping = await scene.say('Stop it.');
  expect(await lab.waitForOutcome(stopping)).toMatchObject({ outcome: 'completed' });
  expect(await scene.end(runId)).toMatchObject({ status: 'cancelled' });
});

test('an agent neither sees nor stops a run that acts for another person', async () => {
  const scene = await createRoutineScene(lab, { tools: [runRoutine] });
  const { id } = await scene.store(toDocument('of-bob', '  - sleep: { wait: PT1H }'));
  scene.reply(call({ action: 'start', routineId: id, wait: false }), { text: 'It runs.' });
  const starting = await scene.say('Start it.', { actingFor: 'bob' });
  await lab.waitForOutcome(starting);
  const [started] = await lab.readLedger(starting);
  const { runId } = JSON.parse(started?.result ?? '') as { runId: string };
  const tries = [call({ action: 'status', runId }), call({ action: 'stop', runId, mode: 'now' })];

  for (const more of [{ actingFor: 'ann' }, {}]) {
    scene.reply(...tries, { text: 'There is none.' });
    const turnId = await scene.say('Stop the run.', more);
    await lab.waitForOutcome(turnId);
    const refused = { status: 'failed', error: { code: 'NOT_FOUND' } };
    expect(await lab.readLedger(turnId)).toMatchObject([refused, refused]);
  }
  expect(await scene.read(runId)).toMatchObject({ status: 'running' });

  scene.reply(...tries, { text: 'Stopped.' });
  const own = await scene.say('Stop my run.', { actingFor: 'bob' });
  await lab.waitForOutcome(own);
  expect(await lab.readLedger(own)).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  expect(await scene.end(runId)).toMatchObject({ status: 'cancelled' });
});

test('a run knows the turn and the agent that started it, and a later turn asks how it ended', async () => {
  const scene = await createRoutineScene(lab, { tools: [runRoutine] });
  const tasks = "  - hear: { listen: { to: { one: { with: { type: '${ $workflow.id }' } } } } }";
  const { id } = await scene.store(toDocument('asked', tasks));
  scene.reply(call({ action: 'start', routineId: id, wait: false }), { text: 'It runs.' });
  const turnId = await scene.say('Start it.');
  await lab.waitForOutcome(turnId);
  const [started] = await lab.readLedger(turnId);
  const { runId } = JSON.parse(started?.result ?? '') as { runId: string };
  const run = await scene.until(runId, ({ steps }) => steps.some(({ state }) => state === 'waiting'));
  expect(run).toMatchObject({ callerTurnId: turnId, callerAgentId: scene.agent.id });
  await eventually(
    async () => {
      await scene.emit({ source: 'https://test', type: runId, data: 7 });
      return scene.read(runId);
    },
    ({ settledAt }) => settledAt !== null,
  );

  scene.reply(call({ action: 'status', runId }), { text: 'It heard 7.' });
  const asking = await scene.say('How did it end?');
  await lab.waitForOutcome(asking);

  const [status] = await lab.readLedger(asking);
  expect(JSON.parse(status?.result ?? '')).toMatchObject({ runId, status: 'completed', output: [7] });
});

test('a routine that starts itself through an agent ends with an error that says so', async () => {
  const scene = await createRoutineScene(lab);
  const starter = await lab.scene({ tools: [runRoutine], execution: 'direct' });
  const tasks = `  - again: { call: agent, with: { agentId: ${starter.agent.id}, message: Again. } }`;
  const { id } = await scene.store(toDocument('recursive', tasks));
  const depth = 6;
  // The turns of several levels run at the same time.
  const endsWith = (role: string) => (body: ChatRequestBody) => body.messages.at(-1)?.role === role;
  const start = call({ action: 'start', routineId: id, wait: false });
  starter.reply(
    ...Array.from({ length: depth }, () => ({ ...start, when: endsWith('user') })),
    ...Array.from({ length: depth }, () => ({ text: 'It is started.', when: endsWith('tool') })),
  );

  const first = await scene.end(await scene.start(id));

  expect(first).toMatchObject({ status: 'completed' });
  const runs = await eventually(
    () => lab.database.system('routine_runs').where({ routine_id: id }).orderBy('depth'),
    (rows: { settled_at: Date | null }[]) =>
      rows.length === depth && rows.every(({ settled_at: at }) => at !== null),
  );
  expect(runs.map((run) => (run as unknown as { depth: number }).depth)).toEqual([0, 1, 2, 3, 4, 5]);
  const refused = await lab.database
    .system('tool_calls')
    .where({ workspace_id: lab.workspaceId, name: 'run_routine', status: 'failed' })
    .whereIn('turn_id', lab.database.system('turns').where({ agent_id: starter.agent.id }).select('id'))
    .pluck('error');
  expect(refused).toMatchObject([
    { code: 'ROUTINE_DEPTH_EXCEEDED', message: 'Routines may start each other 5 deep only.' },
  ]);
}, 60_000);

test('a routine that runs itself as a workflow ends with an error that says so', async () => {
  const scene = await createRoutineScene(lab);
  const tasks = "  - again: { run: { workflow: { namespace: test, name: itself, version: '1.0.0' } } }";
  const { id } = await scene.store(toDocument('itself', tasks));
  const run = await scene.end(await scene.start(id));
  expect(run).toMatchObject({
    status: 'faulted',
    error: { status: 400, detail: 'routines may start each other 5 deep' },
  });
});
