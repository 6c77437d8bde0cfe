import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Replay } from '../../../src/domain/replay.ts';
import { eventually } from '../../labs/eventually.ts';
import { fetchTurnHistory } from '../../labs/histories.ts';
import { startLabApi, type LabApi } from '../../labs/lab-api.ts';
import { createRoutineScene, toDocument } from '../../labs/routine-scene.ts';
import { createScheduleScene } from '../../labs/schedule-scene.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

let lab: TurnLab;
let api: LabApi;
let scheduling: ReturnType<typeof createScheduleScene>;

beforeAll(async () => {
  lab = await shareTurnLab();
  api = await startLabApi(lab);
  scheduling = createScheduleScene(lab, api);
});
afterAll(async () => {
  await api.stop();
  await lab.close();
});

describe('a schedule of a routine', () => {
  const sum = "  - add: { set: { sum: '${ .a + .b }' } }";

  test('runs it with its input, in the name of who made the schedule, after the turns of people', async () => {
    const scene = await createRoutineScene(lab);
    const { id: routineId } = await scene.store(toDocument('scheduled-sum', sum));
    const action = { kind: 'routine', routineId, input: { a: 40, b: 2 } };
    const { id, createdBy } = await scheduling.createSchedule({ action });
    await scheduling.act(id, 'run');

    const [run] = await scheduling.waitForRuns(id, 1);
    expect(run).toMatchObject({ status: 'completed', outcome: 'completed', turnId: null, error: null });
    const routineRun = await scene.read(run?.routineRunId ?? '');
    expect(routineRun).toMatchObject({ routineId, output: { sum: 42 }, startedBy: createdBy });
    const { events } = await fetchTurnHistory(lab, routineRun.id);
    const [started] = events ?? [];
    expect(started?.workflowExecutionStartedEventAttributes?.priority).toMatchObject({ priorityKey: 4 });
  });

  test('backfills one run for each time, also when the span is asked for twice', async () => {
    const scene = await createRoutineScene(lab);
    const { id: routineId } = await scene.store(toDocument('backfilled-sum', sum));
    const action = { kind: 'routine', routineId, input: { a: 1, b: 1 } };
    const { id } = await scheduling.createSchedule({ times: { cron: '0 9 * * *' }, paused: true, action });
    const span = { from: '2026-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z' };
    await scheduling.act(id, 'backfill', span);
    await scheduling.waitForRuns(id, 2);
    await scheduling.waitUntilIdle(id);
    await scheduling.act(id, 'backfill', span);
    await eventually(
      () => scheduling.findCopy(id).describe(),
      ({ info }) => info.numActionsTaken >= 4 && info.runningActions.length === 0,
    );
    const runs = await scheduling.listRuns(id);
    expect(new Set(runs.map(({ routineRunId }) => routineRunId)).size).toBe(2);
  });

  test('stops its run under "cancel_other"', async () => {
    const scene = await createRoutineScene(lab);
    const tasks = "  - rest: { if: '${ .rests }', wait: { hours: 1 } }";
    const { id: routineId } = await scene.store(toDocument('resting', tasks));
    const action = { kind: 'routine', routineId, input: { rests: true } };
    const { id } = await scheduling.createSchedule({ overlap: 'cancel_other', action });
    await scheduling.act(id, 'run');
    const [begun] = await eventually(
      () => scheduling.listRuns(id),
      (runs) => runs[0]?.routineRunId !== null && runs.length === 1,
    );
    await eventually(
      () => Promise.resolve(Date.now()),
      (now) => Math.floor(now / 1000) > Math.floor(Date.parse(begun?.scheduledAt ?? '') / 1000),
    );
    const rests = { action: { ...action, input: { rests: false } } };
    await api.ask('PATCH', `/api/schedules/${id}`, rests);
    await scheduling.act(id, 'run');
    const runs = await scheduling.waitForRuns(id, 2);
    expect(runs.map(({ outcome }) => outcome)).toEqual(['cancelled', 'completed']);
    expect(await scene.end(begun?.routineRunId ?? '')).toMatchObject({ status: 'cancelled' });
  });

  test('tells why its run has failed, and is refused for a routine that is not there', async () => {
    const scene = await createRoutineScene(lab);
    const raise = `  - fail: { raise: { error: { type: 'https://example.com/broken', status: 400, title: Broken } } }`;
    const { id: routineId } = await scene.store(toDocument('broken', raise));
    const { id } = await scheduling.createSchedule({ action: { kind: 'routine', routineId } });
    await scheduling.act(id, 'run');
    expect(await scheduling.waitForRuns(id, 1)).toMatchObject([
      { status: 'failed', outcome: 'faulted', error: { code: 'ROUTINE_FAULTED', message: 'Broken' } },
    ]);
    const action = { kind: 'routine', routineId: id };
    const refused = await api.call('POST', '/api/schedules', {
      name: 'None',
      times: { cron: '@daily' },
      action,
    });
    expect(refused).toMatchObject({ status: 400, error: { details: [{ field: 'action.routineId' }] } });
  });
});

test('a schedule of a replay starts one for each time, and its run ends with it', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'Recorded.' }, { text: 'Replayed.' });
  const turnId = await scene.say('Once');
  await lab.waitUntilSettled(turnId);
  const replay = { selection: { turnIds: [turnId] }, baseline: false };
  const { id } = await scheduling.createSchedule({ action: { kind: 'replay', replay } });
  await scheduling.act(id, 'run');
  const [run] = await scheduling.waitForRuns(id, 1);
  expect(run).toMatchObject({ status: 'completed', outcome: 'completed', turnId: null, routineRunId: null });
  const found = await api.ask<{ replay: Replay }>('GET', `/api/replays/${run?.replayId}`);
  expect(found.replay).toMatchObject({ status: 'completed', cases: 1, runs: { done: 1, failed: 0 } });
});
