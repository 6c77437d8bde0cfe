import type { Schedule, ScheduleRun } from '../../src/modules/schedules/schedule.ts';
import { eventually } from './eventually.ts';
import type { LabApi } from './lab-api.ts';
import type { TurnLab } from './turn-lab.ts';

/** Never, so that a test decides about each run. */
const never = { cron: '0 0 1 1 * 2099' };

/** Schedules over the API of a laboratory, and their copies in Temporal. */
export function createScheduleScene(lab: Pick<TurnLab, 'client'>, api: LabApi) {
  const listRuns = async (id: string): Promise<ScheduleRun[]> => {
    const { runs } = await api.ask<{ runs: ScheduleRun[] }>('GET', `/api/schedules/${id}/runs?limit=100`);
    return runs;
  };
  const findCopy = (id: string) => lab.client.schedule.getHandle(`schedule-${id}`);
  return {
    listRuns,
    /** Creates a schedule, by default one without a run that is due. */
    createSchedule: async (change: object): Promise<Schedule> => {
      const body = { name: 'Report', times: never, ...change };
      return (await api.ask<{ schedule: Schedule }>('POST', '/api/schedules', body)).schedule;
    },
    /** Pauses, resumes, runs or backfills a schedule. */
    act: (id: string, verb: string, body?: object) => api.ask('POST', `/api/schedules/${id}/${verb}`, body),
    /** Waits until so many runs of a schedule have ended, and returns them, the earliest time first. */
    waitForRuns: async (id: string, count: number): Promise<ScheduleRun[]> => {
      const runs = await eventually(
        () => listRuns(id),
        (list) => list.filter(({ status }) => status !== 'running').length >= count,
      );
      return runs.toSorted((one, other) => one.scheduledAt.localeCompare(other.scheduledAt));
    },
    findCopy,
    /**
     * Waits until the workflows of all runs have ended, which is after their rows: Temporal starts none for a time whose
     * workflow still runs.
     */
    waitUntilIdle: (id: string) =>
      eventually(
        () => findCopy(id).describe(),
        ({ info }) => info.runningActions.length === 0,
      ),
  };
}
