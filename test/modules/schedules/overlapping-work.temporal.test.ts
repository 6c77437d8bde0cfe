import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPrices } from '../../../src/modules/credits/workspace-prices.ts';
import type { ScheduleDetails } from '../../../src/modules/schedules/schedule.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { eventually } from '../../labs/eventually.ts';
import { startLabApi, type LabApi } from '../../labs/lab-api.ts';
import { createRoutineScene, toDocument } from '../../labs/routine-scene.ts';
import { createScheduleScene } from '../../labs/schedule-scene.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import type { LabScene } from '../../labs/turn-lab-scene.ts';

let lab: TurnLab;
let api: LabApi;
let scheduling: ReturnType<typeof createScheduleScene>;

beforeAll(async () => {
  lab = await shareTurnLab();
  api = await startLabApi(lab);
  scheduling = createScheduleScene(lab, api);
  await setPrices(lab, lab, { '*': { input: 0, output: 0, perCall: 0.001 } });
});
afterAll(async () => {
  await api.stop();
  await lab.close();
});

const asksModel = '  - ask: { call: model, with: { prompt: Hello } }';

/** Work of a schedule that calls the model of a scene once in each run. */
interface CallingWork {
  scene: LabScene;
  action: object;
  /** The requests to the model that came before the first run. */
  before: number;
}

async function prepareRoutine(): Promise<CallingWork> {
  const scene = await createRoutineScene(lab);
  const { id: routineId } = await scene.store(toDocument(`asks-${newId()}`, asksModel));
  return { scene, action: { kind: 'routine', routineId }, before: 0 };
}

async function prepareReplay(): Promise<CallingWork> {
  const scene = await lab.scene();
  scene.reply({ text: 'Recorded.' });
  const turnId = await scene.say('Once');
  await lab.waitUntilSettled(turnId);
  const replay = { selection: { turnIds: [turnId] }, baseline: false };
  return { scene, action: { kind: 'replay', replay }, before: 1 };
}

/** A schedule that is paused, so that no run comes but those that a test tells it to begin. */
async function beginOne(overlap: string, { scene, action, before }: CallingWork) {
  const first = Promise.withResolvers<unknown>();
  const later = Array.from({ length: 3 }, () => ({ text: 'Later.', isOptional: true }));
  scene.reply({ text: 'First.', until: first.promise }, ...later);
  const times = { interval: { everyMs: 1000 } };
  const { id } = await scheduling.createSchedule({ times, paused: true, overlap, action });
  await scheduling.act(id, 'run');
  await scene.waitForRequest(before + 1);
  return { id, letGo: () => first.resolve(null) };
}

/** Temporal names the workflow of a run by the second for which it runs. */
async function runInAnotherSecond(id: string): Promise<void> {
  const second = Math.floor(Date.now() / 1000);
  await eventually(
    () => Math.floor(Date.now() / 1000),
    (now) => now > second,
  );
  await scheduling.act(id, 'run');
}

const describeCopy = (id: string) => scheduling.findCopy(id).describe();

const outcomesOf = async (id: string, count: number) =>
  (await scheduling.waitForRuns(id, count)).map(({ outcome }) => outcome);

/** The tests of one kind of work run one after the other, beside those of the other kind. */
const inOrder = { concurrent: false };

describe.concurrent.each([
  ['routine', prepareRoutine],
  ['replay', prepareReplay],
] as const)(
  'a run of a %s that is due while another one goes on, in a paused schedule',
  { timeout: 120_000 },
  (_, prepare) => {
    test('is left out under "skip"', inOrder, async () => {
      const { id, letGo } = await beginOne('skip', await prepare());
      await runInAnotherSecond(id);
      await eventually(
        () => describeCopy(id),
        ({ info }) => info.numActionsSkippedOverlap === 1,
      );
      letGo();
      expect(await outcomesOf(id, 1)).toEqual(['completed']);
    });

    test.each([
      ['buffer_one', 1],
      ['buffer_all', 2],
    ] as const)('waits for it under "%s"', inOrder, async (overlap, waiting) => {
      const work = await prepare();
      const { id, letGo } = await beginOne(overlap, work);
      await runInAnotherSecond(id);
      await runInAnotherSecond(id);
      await eventually(
        () => describeCopy(id),
        ({ raw }) => Number(raw.info?.bufferSize ?? 0) === waiting,
      );
      expect(work.scene.requests()).toHaveLength(work.before + 1);
      letGo();
      expect(await outcomesOf(id, 1 + waiting)).toEqual(Array(1 + waiting).fill('completed'));
    });

    test('begins beside it under "allow_all"', inOrder, async () => {
      const work = await prepare();
      const { id, letGo } = await beginOne('allow_all', work);
      await runInAnotherSecond(id);
      expect(await outcomesOf(id, 1)).toEqual([null, 'completed']);
      letGo();
      expect(await outcomesOf(id, 2)).toEqual(['completed', 'completed']);
    });

    test('cancels it under "cancel_other"', inOrder, async () => {
      const { id, letGo } = await beginOne('cancel_other', await prepare());
      await runInAnotherSecond(id);
      expect(await outcomesOf(id, 2)).toEqual(['cancelled', 'completed']);
      letGo();
      const { schedule } = await api.ask<{ schedule: ScheduleDetails }>('GET', `/api/schedules/${id}`);
      expect(schedule.paused).toBe(true);
    });
  },
);

test.concurrent(
  'a routine whose call would break a budget fails and says so, and runs again once the budget is raised',
  async () => {
    const { scene, action } = await prepareRoutine();
    scene.reply({ text: 'Now there is enough.' });
    const { budget } = await api.ask<{ budget: { id: string } }>('POST', '/api/budgets', {
      ...{ scope: 'agent', subject: scene.agent.id, period: 'month', credits: 900 },
    });
    const { id } = await scheduling.createSchedule({ action });
    await scheduling.act(id, 'run');
    const [refused] = await scheduling.waitForRuns(id, 1);
    expect(refused).toMatchObject({
      ...{ status: 'failed', outcome: 'faulted' },
      error: {
        code: 'ROUTINE_FAULTED',
        message: expect.stringContaining('has 900, of which 0 are spent') as string,
        details: { title: 'BUDGET_EXCEEDED', status: 403 },
      },
    });
    expect(scene.requests()).toHaveLength(0);

    await api.ask('PATCH', `/api/budgets/${budget.id}`, { credits: 1_000 });
    await runInAnotherSecond(id);
    const runs = await scheduling.waitForRuns(id, 2);
    expect(runs.map(({ outcome }) => outcome)).toEqual(['faulted', 'completed']);
    const state = await api.ask<{ budget: object }>('GET', `/api/budgets/${budget.id}`);
    expect(state.budget).toMatchObject({ spent: '1000', reserved: '0' });
  },
);
