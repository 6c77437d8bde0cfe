import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { RepairDependencies } from '../../../activities/step-dependencies.ts';
import { sweepGroupSize } from '../../../src/platform/work/sweep-rows.ts';
import { sweepTurns } from '../../../activities/turn/sweep-turns.ts';
import { createSweepRepository } from '../../../src/modules/turns/turn-sweep-repository.ts';
import { createTurnRepository } from '../../../src/modules/turns/turn-repository.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { loadConfig } from '../../../src/main/config.ts';
import { startRun } from '../../../src/modules/routines/runs/start-run.ts';
import { connectTemporal } from '../../../src/platform/temporal/connect-temporal.ts';
import { createDataConverter } from '../../../src/platform/temporal/data-converter.ts';
import { createTurnEngine } from '../../../src/modules/turns/turn-engine.ts';
import { eventually } from '../../labs/eventually.ts';
import { createRoutineScene, toDocument } from '../../labs/routine-scene.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { temporalAddress } from '../../labs/temporal.ts';
import { startTcpProxy } from '../../servers/tcp-proxy.ts';

const longAgo = new Date(Date.now() - 120_000);
const five = [1, 2, 3, 4, 5];

/** Runs of a routine whose rows are there and whose workflows were never started. */
async function storeRuns(lab: TurnLab): Promise<string[]> {
  const scene = await createRoutineScene(lab);
  const { id: routineId } = await scene.store(toDocument('swept', '  - one: { set: { done: true } }'));
  const dependencies = { ...scene.dependencies, startRoutine: () => Promise.reject(new Error('lost')) };
  const ids: string[] = [];
  for (const number of five) {
    const request = { workspaceId: lab.workspaceId, routineId, input: {}, startedBy: null };
    const { run } = await startRun(dependencies, { ...request, idempotencyKey: `swept-${number}` });
    ids.push(run.id);
  }
  await lab.database.system('routine_runs').update({ created_at: longAgo });
  return ids;
}

async function storeRows(lab: TurnLab, table: string, row: object): Promise<string[]> {
  const rows = five.map(() => ({ id: newId(), ...row }));
  await lab.database.inWorkspace(lab.workspaceId, (trx) => trx(table).insert(rows));
  return rows.map(({ id }) => id);
}

/** Counts the workflows that were started. */
async function countStarted({ client }: TurnLab, workflowIds: string[]): Promise<number> {
  const found = await Promise.allSettled(workflowIds.map((id) => client.workflow.getHandle(id).describe()));
  return found.filter(({ status }) => status === 'fulfilled').length;
}

test('a sweep whose query fails stops no other sweep', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await startTurnLab();
  stack.defer(lab.close);
  const runs = await storeRuns(lab);
  const swarms = await storeRows(lab, 'swarms', {
    ...{ kind: 'simple', goal: 'Do it.', limits: '{}', request_hash: 'hash' },
    ...{ deadline_at: longAgo, updated_at: longAgo },
  });
  const deliveries = await storeRows(lab, 'webhook_deliveries', {
    ...{ webhook_id: newId(), type: 'turn.settled', data: '{}', next_attempt_at: longAgo },
  });
  await lab.asOwner('ALTER TABLE documents RENAME COLUMN swept_at TO swept_elsewhere');

  const results = await lab.sweep().catch(() => ({}));

  const workflows = [
    runs.map((id) => `turn-${id}`),
    swarms.map((id) => `swarm-${id}`),
    deliveries.map((id) => `webhook-${id}`),
  ];
  // The sweep with which the worker began may have taken some rows, and still start them.
  const started = await eventually(
    () => Promise.all(workflows.map((ids) => countStarted(lab, ids))),
    (counts) => counts.every((count) => count === five.length),
  );
  expect(started).toEqual([5, 5, 5]);
  expect(results).toMatchObject({ documents: 'failed', routines: { failed: 0 } });
});

/** The dependencies of the sweep of turns, over a slow connection to Temporal. Counts the starts. */
async function openSlowly(lab: TurnLab, stack: AsyncDisposableStack) {
  const proxy = await startTcpProxy(`http://${temporalAddress()}`);
  stack.defer(proxy.close);
  proxy.delay(100);
  const environment = { ...lab.environment, TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}` };
  const temporal = connectTemporal(environment, createDataConverter(loadConfig(environment)));
  stack.defer(() => temporal.connection.close());
  const engine = createTurnEngine({ client: temporal.client, taskQueue: lab.taskQueue });
  const started: string[] = [];
  const dependencies = {
    sweep: createSweepRepository(lab.database.system),
    engine: {
      ...engine,
      restartTurn: (input: Parameters<typeof engine.restartTurn>[0]) => {
        started.push(input.turnId);
        return engine.restartTurn(input);
      },
    },
    pipelined: (workspaceId: string, run: (repositories: object) => Promise<unknown>) =>
      lab.database.pipelined(workspaceId, (query) => run({ turns: createTurnRepository(query) })),
    logger: pino({ level: 'silent' }),
  } as unknown as RepairDependencies;
  return { dependencies, started };
}

test('with a slow Temporal a stopped sweep ends with its group, and the next one starts the other turns once', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await startTurnLab({ worker: false });
  stack.defer(lab.close);
  const turns: string[] = [];
  for (let index = 0; index < 45; index += 1) {
    const scene = await lab.scene();
    turns.push((await scene.submit('Anybody?')).turnId);
  }
  await lab.database.system('turns').update({ started_at: longAgo, start_timeout_ms: 3_600_000 });
  await lab.database.system('turns').update({ deadline_at: new Date(Date.now() + 3_600_000) });
  const { dependencies, started } = await openSlowly(lab, stack);
  const { logger } = dependencies;

  let checks = 0;
  // Asked before rows are taken and before each group: the sweep is stopped after its first group.
  const isStopped = () => (checks += 1) > 2;
  const stopped = sweepTurns(dependencies, { isStopped, logger });
  const next = sweepTurns(dependencies, { isStopped: () => false, logger });

  expect((await stopped).started).toBe(sweepGroupSize);
  expect((await next).started).toBe(turns.length - sweepGroupSize);
  expect(started.toSorted()).toEqual(turns.toSorted());
});
