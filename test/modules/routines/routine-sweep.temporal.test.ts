import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import { startRun } from '../../../src/modules/routines/runs/start-run.ts';
import { eventually } from '../../labs/eventually.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { startLosableTemporal, type LosableTemporal } from '../../labs/losable-temporal.ts';
import { createRoutineScene, toDocument, type RoutineScene } from '../../labs/routine-scene.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';

let temporal: LosableTemporal;
let server: ScriptedServer;
let lab: TurnLab;
let scene: RoutineScene;

beforeAll(async () => {
  temporal = await startLosableTemporal();
  server = await startScriptedServer({ pay: () => textResult('paid') });
  lab = await startTurnLab({ temporalAddress: temporal.address, mcpServers: { lab: { url: server.url } } });
  scene = await createRoutineScene(lab, { tools: [mcpTool('pay')] });
});

afterAll(async () => {
  await lab.close();
  await server.close();
  await temporal.close();
});

/** Makes a run old enough for the sweeper to look at it, and sweeps. */
async function sweepSoon(runId: string): Promise<void> {
  await lab.database
    .system('routine_runs')
    .where({ id: runId })
    .update({ created_at: new Date(Date.now() - 10_000), swept_at: null });
  await eventually(
    () => lab.sweep().catch(() => null),
    (result) => result !== null,
  );
}

/** A run whose row is there and whose workflow was never started, as after a crash of the API. */
async function storeOnly(routineId: string) {
  const dependencies = { ...scene.dependencies, startRoutine: () => Promise.reject(new Error('lost')) };
  const request = { workspaceId: lab.workspaceId, routineId, input: {}, startedBy: null };
  const { run } = await startRun(dependencies, { ...request, idempotencyKey: newId() });
  return run;
}

const isWaiting = ({ steps }: { steps: { state: string }[] }) =>
  steps.some(({ state }) => state === 'waiting');

test('a run whose workflow was never started is started once', async () => {
  const { id } = await scene.store(toDocument('unstarted', '  - one: { set: { done: true } }'));
  const run = await storeOnly(id);
  await lab.sweep();
  expect(await lab.engine.findTurnWorkflow(run.id)).toBe('missing');

  await Promise.all([sweepSoon(run.id), sweepSoon(run.id)]);

  expect(await scene.end(run.id)).toMatchObject({ status: 'completed', output: { done: true } });
  await sweepSoon(run.id);
  expect((await scene.read(run.id)).steps).toHaveLength(1);
});

test('a run whose workflow was terminated is faulted, with its turn and what it asked, and the run above hears of it', async () => {
  await scene.store(
    toDocument('asking', '  - ask: { call: ask_user, with: { question: Is anybody there? } }'),
  );
  const above = toDocument(
    'above',
    "  - run: { run: { workflow: { namespace: test, name: asking, version: '1.0.0' } } }",
  );
  const parentId = await scene.start((await scene.store(above)).id);
  const { steps } = await scene.until(parentId, isWaiting);
  const runId = steps[0]?.waitsFor?.replace('run ', '') ?? '';
  await scene.until(runId, isWaiting);
  await lab.client.workflow.getHandle(`turn-${runId}`).terminate();

  await sweepSoon(runId);

  const run = await scene.end(runId);
  expect(run).toMatchObject({
    status: 'faulted',
    error: { status: 500, detail: 'the workflow of the run ended before it stored how' },
  });
  const turn = await lab.readTurn(runId);
  expect(turn).toMatchObject({ status: 'failed', pendingActions: [] });
  expect(turn.toolCalls.map(({ status }) => status)).not.toContain('started');
  expect(await scene.end(parentId)).toMatchObject({ status: 'faulted', error: run.error });
});

test('a run whose workflow ran out of time is faulted', async () => {
  const { id } = await scene.store(toDocument('timed-out', '  - sleep: { wait: PT1H }'));
  const { id: runId, agentId, conversationId } = await storeOnly(id);
  const { workspaceId } = lab;
  const workflow = await lab.client.workflow.start('routineRun', {
    ...{ workflowId: `turn-${runId}`, taskQueue: lab.taskQueue, workflowExecutionTimeout: 1_000 },
    args: [{ workspaceId, runId, agentId, conversationId }],
  });
  await expect(workflow.result()).rejects.toThrow();

  await sweepSoon(runId);

  expect(await scene.end(runId)).toMatchObject({ status: 'faulted', error: { status: 500 } });
});

test('a run whose engine was lost starts again, sends no call twice and takes later events', async () => {
  const tasks = `  - pay: { call: pay }
  - hear: { listen: { to: { one: { with: { type: test.go } } } } }
  - done: { set: { heard: '\${ .[0] }' } }`;
  const runId = await scene.start((await scene.store(toDocument('lost', tasks))).id);
  await scene.until(runId, isWaiting);
  await temporal.lose();

  await sweepSoon(runId);
  await scene.until(runId, isWaiting);
  const ended = await eventually(
    async () => {
      await scene.emit({ source: 'https://test', type: 'test.go', data: 7 });
      return scene.read(runId);
    },
    ({ settledAt }) => settledAt !== null,
  );

  expect(ended).toMatchObject({ status: 'completed', output: { heard: 7 } });
  expect(ended.steps.map(({ name, state }) => [name, state])).toEqual([
    ['pay', 'completed'],
    ['hear', 'completed'],
    ['done', 'completed'],
  ]);
  expect([...server.calls.values()]).toEqual([1]);
  expect(await lab.readLedger(runId)).toMatchObject([{ status: 'succeeded', attempts: 1, result: 'paid' }]);
}, 120_000);
