import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScheduleDetails } from '../../../src/modules/schedules/schedule.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { eventually } from '../../labs/eventually.ts';
import { recordWorkflow } from '../../labs/histories.ts';
import { startLabApi, type LabApi } from '../../labs/lab-api.ts';
import { createScheduleScene } from '../../labs/schedule-scene.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import type { LabScene } from '../../labs/turn-lab-scene.ts';

let lab: TurnLab;
let api: LabApi;
let scheduling: ReturnType<typeof createScheduleScene>;

beforeAll(async () => {
  lab = await startTurnLab();
  api = await startLabApi(lab);
  scheduling = createScheduleScene(lab, api);
});
afterAll(async () => {
  await api.stop();
  await lab.close();
});

function turnIn({ conversationId }: LabScene, message = 'the scheduled question') {
  return { kind: 'turn', conversationId, message };
}

/** Reads a schedule until Temporal has answered in time for its next runs. */
async function readWithNextRuns(id: string): Promise<ScheduleDetails & { nextRuns: string[] }> {
  for (;;) {
    const { schedule } = await api.ask<{ schedule: ScheduleDetails }>('GET', `/api/schedules/${id}`);
    const { nextRuns } = schedule;
    if (nextRuns !== null) return { ...schedule, nextRuns };
  }
}

test('a schedule starts turns by itself, each in a conversation of its own', async () => {
  const scene = await lab.scene();
  // A third time may come before the schedule is paused.
  const more = Array.from({ length: 20 }, () => ({ text: 'Once more.', isOptional: true }));
  scene.reply({ text: 'First.' }, { text: 'Second.' }, ...more);
  const action = { kind: 'turn', agentId: scene.agent.id, message: 'Report!', actingFor: 'ada' };
  const { id } = await scheduling.createSchedule({ times: { interval: { everyMs: 1000 } }, action });
  const runs = await scheduling.waitForRuns(id, 2).finally(() => scheduling.act(id, 'pause'));

  expect(runs.slice(0, 2)).toMatchObject([
    { status: 'completed' },
    { status: 'completed', outcome: 'completed' },
  ]);
  expect(new Set(runs.map(({ conversationId }) => conversationId)).size).toBe(runs.length);
  const turn = await lab.readTurn(runs[0]?.turnId ?? '');
  expect(turn).toMatchObject({ outcome: 'completed', startedBy: { actingFor: 'ada' } });
  const time = `${runs[0]?.scheduledAt.slice(0, 19)}Z`;
  await recordWorkflow(lab, 'scheduled-run', `schedule-${id}-${time}`);
});

test('a paused schedule starts nothing by itself, but runs when it is told to', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'Now.' });
  const times = { interval: { everyMs: 1000 } };
  const { id } = await scheduling.createSchedule({ times, paused: true, action: turnIn(scene) });
  expect(await readWithNextRuns(id)).toMatchObject({ paused: true, nextRuns: [] });
  await scheduling.act(id, 'run');
  const runs = await scheduling.waitForRuns(id, 1);
  expect(runs).toMatchObject([{ outcome: 'completed', conversationId: scene.conversationId }]);
});

describe('over a change of the clocks in Berlin', () => {
  const cases = [
    {
      name: 'the time that does not exist is left out',
      from: '2027-03-26T12:00:00Z',
      to: '2027-03-29T12:00:00Z',
      expected: ['2027-03-27T01:30:00.000Z', '2027-03-29T00:30:00.000Z'],
    },
    {
      name: 'the time that comes twice runs once, the second time',
      from: '2026-10-24T12:00:00Z',
      to: '2026-10-26T12:00:00Z',
      expected: ['2026-10-25T01:30:00.000Z', '2026-10-26T01:30:00.000Z'],
    },
    {
      name: 'a calendar keeps the time on the clock',
      times: { calendars: [{ hour: 9, dayOfWeek: [0, 6] }] },
      from: '2027-03-26T12:00:00Z',
      to: '2027-03-29T12:00:00Z',
      expected: ['2027-03-27T08:00:00.000Z', '2027-03-28T07:00:00.000Z'],
    },
  ];
  test.each(cases)('$name', async ({ times = { cron: '30 2 * * *' }, from, to, expected }) => {
    const scene = await lab.scene();
    scene.reply(...expected.map(() => ({ text: 'Good morning.' })));
    const berlin = { times, timeZone: 'Europe/Berlin', paused: true };
    const { id } = await scheduling.createSchedule({ ...berlin, action: turnIn(scene) });
    await scheduling.act(id, 'backfill', { from, to });
    const runs = await scheduling.waitForRuns(id, expected.length);
    expect(runs.map(({ scheduledAt }) => scheduledAt)).toEqual(expected);
    expect(runs.map(({ outcome }) => outcome)).toEqual(expected.map(() => 'completed'));

    // The same span again finds the same runs.
    await scheduling.waitUntilIdle(id);
    await scheduling.act(id, 'backfill', { from, to, overlap: 'allow_all' });
    await eventually(
      () => scheduling.findCopy(id).describe(),
      ({ info }) => info.numActionsTaken >= expected.length * 2 && info.runningActions.length === 0,
    );
    expect(await scheduling.listRuns(id)).toHaveLength(expected.length);
  });
});

describe('a run that is due while another one goes on', () => {
  async function runTwice(overlap: string) {
    const scene = await lab.scene();
    const first = Promise.withResolvers<unknown>();
    scene.reply({ text: 'First.', until: first.promise }, { text: 'Second.', isOptional: true });
    const action = { kind: 'turn', agentId: scene.agent.id, message: 'Go' };
    const { id } = await scheduling.createSchedule({ overlap, action });
    await scheduling.act(id, 'run');
    await scene.waitForRequest(1);
    const [begun] = await scheduling.listRuns(id);
    // Temporal names the workflow of a run by the second for which it runs.
    await eventually(
      () => Promise.resolve(Date.now()),
      (now) => Math.floor(now / 1000) > Math.floor(Date.parse(begun?.scheduledAt ?? '') / 1000),
    );
    await scheduling.act(id, 'run');
    return { id, scene, begun, letGo: () => first.resolve(null) };
  }

  test('is left out under "skip"', async () => {
    const { id, letGo } = await runTwice('skip');
    await eventually(
      () => scheduling.findCopy(id).describe(),
      ({ info }) => info.numActionsSkippedOverlap === 1,
    );
    letGo();
    expect(await scheduling.waitForRuns(id, 1)).toHaveLength(1);
  });

  test('waits for it under "buffer_one"', async () => {
    const { id, scene, letGo } = await runTwice('buffer_one');
    expect(scene.requests()).toHaveLength(1);
    letGo();
    expect(await scheduling.waitForRuns(id, 2)).toMatchObject([
      { outcome: 'completed' },
      { outcome: 'completed' },
    ]);
  });

  test('begins beside it under "allow_all"', async () => {
    const { id, scene, letGo } = await runTwice('allow_all');
    await scene.waitForRequest(2);
    letGo();
    expect(await scheduling.waitForRuns(id, 2)).toHaveLength(2);
  });

  test('cancels it under "cancel_other"', async () => {
    const { id, begun, letGo } = await runTwice('cancel_other');
    const runs = await scheduling.waitForRuns(id, 2);
    expect(runs.map(({ outcome }) => outcome)).toEqual(['cancelled', 'completed']);
    expect(await lab.waitUntilSettled(begun?.turnId ?? '')).toMatchObject({ outcome: 'cancelled' });
    letGo();
  });
});

test('a schedule that Temporal has lost is made again', async () => {
  const scene = await lab.scene();
  const { id } = await scheduling.createSchedule({ action: turnIn(scene) });
  await scheduling.findCopy(id).delete();
  await lab.database.system('schedules').where({ id }).update({ checked_at: null });
  await lab.sweep();
  const { schedule } = await scheduling
    .findCopy(id)
    .describe()
    .then(({ action }) => ({ schedule: action }));
  expect(schedule).toMatchObject({ workflowType: 'scheduledRun', taskQueue: lab.taskQueue });
});

test('a schedule that Temporal has lost runs when it is told to, and fills its past', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'Now.' }, { text: 'Then.' });
  const times = { cron: '0 9 * * *' };
  const { id } = await scheduling.createSchedule({ times, paused: true, action: turnIn(scene) });
  await scheduling.findCopy(id).delete();
  await scheduling.act(id, 'run');
  await scheduling.waitForRuns(id, 1);
  await scheduling.findCopy(id).delete();
  await scheduling.act(id, 'backfill', { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' });
  const [earlier, now] = await scheduling.waitForRuns(id, 2);
  expect(earlier).toMatchObject({ scheduledAt: '2026-01-01T09:00:00.000Z', outcome: 'completed' });
  expect(now).toMatchObject({ outcome: 'completed' });
});

test('a backfill with too many runs is refused with their number, and starts none', async () => {
  const scene = await lab.scene();
  const span = { from: '2025-01-01T00:00:00Z', to: '2025-12-31T00:00:00Z' };
  for (const [times, found] of [
    [{ interval: { everyMs: 1_000 } }, '31449600'],
    [{ cron: '* * * * *' }, 'more than 1000'],
  ] as const) {
    const { id } = await scheduling.createSchedule({ times, paused: true, action: turnIn(scene) });
    const refused = await api.call('POST', `/api/schedules/${id}/backfill`, span);
    const message = `expected a span with at most 1000 runs, found ${found}: send shorter spans`;
    expect(refused).toMatchObject({ status: 400, error: { details: [{ field: 'to', message }] } });
    expect(await scheduling.listRuns(id)).toEqual([]);
  }
});

test('a deleted schedule is gone from Temporal, and its row too', async () => {
  const scene = await lab.scene();
  const { id } = await scheduling.createSchedule({ action: turnIn(scene) });
  await api.ask('DELETE', `/api/schedules/${id}`);
  await expect(scheduling.findCopy(id).describe()).rejects.toThrow();
  await lab.sweep();
  expect(await lab.database.system('schedules').where({ id })).toEqual([]);
});

test('the copy of a schedule whose workspace was removed deletes itself when it is due', async () => {
  const scene = await lab.scene();
  const { id } = await scheduling.createSchedule({ action: turnIn(scene) });
  await lab.database.system('schedules').where({ id }).delete();
  await scheduling.findCopy(id).trigger();
  await eventually(
    () =>
      scheduling
        .findCopy(id)
        .describe()
        .then(
          () => false,
          () => true,
        ),
    (isGone) => isGone,
  );
});

test('a workflow with the schedule of another workspace is refused, and its copy stays', async () => {
  const scene = await lab.scene();
  const { id } = await scheduling.createSchedule({ action: turnIn(scene) });
  const foreign = lab.client.workflow.execute('scheduledRun', {
    ...{ workflowId: newId(), taskQueue: lab.taskQueue },
    args: [{ workspaceId: newId(), scheduleId: id }],
  });
  await expect(foreign).rejects.toMatchObject({ cause: { cause: { type: 'NOT_FOUND' } } });
  expect((await scheduling.findCopy(id).describe()).scheduleId).toBe(`schedule-${id}`);
  expect(await scheduling.listRuns(id)).toEqual([]);
});

test('a run that is refused says why', async () => {
  const scene = await lab.scene();
  const action = { kind: 'turn', agentId: scene.agent.id, message: 'Go' };
  const { id } = await scheduling.createSchedule({ action });
  await api.ask('DELETE', `/api/agents/${scene.agent.id}`);
  await scheduling.act(id, 'run');
  expect(await scheduling.waitForRuns(id, 1)).toMatchObject([
    { status: 'failed', error: { code: 'NOT_FOUND' } },
  ]);
});

test('times that Temporal cannot read are refused, and nothing is stored', async () => {
  const scene = await lab.scene();
  const body = {
    name: 'Never',
    times: { interval: { everyMs: 1_000, offsetMs: 2_000 } },
    action: turnIn(scene),
  };
  const refused = await api.call('POST', '/api/schedules', body);
  expect(refused).toMatchObject({ status: 400, error: { details: [{ field: 'times' }] } });
  expect(await lab.database.system('schedules').where({ name: 'Never' })).toEqual([]);
});

test('a calendar with names of months and days is understood', async () => {
  const scene = await lab.scene();
  const calendars = [{ hour: 9, month: [{ start: 1, end: 12, step: 1 }], dayOfWeek: { start: 1, end: 5 } }];
  const { id } = await scheduling.createSchedule({ times: { calendars }, action: turnIn(scene) });
  const { nextRuns } = await readWithNextRuns(id);
  expect(nextRuns.length).toBeGreaterThan(1);
  for (const time of nextRuns) {
    expect(time).toContain('T09:00:00');
    expect([1, 2, 3, 4, 5]).toContain(new Date(time).getUTCDay());
  }
});
