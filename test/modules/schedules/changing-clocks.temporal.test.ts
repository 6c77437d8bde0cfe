import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScheduleDetails } from '../../../src/modules/schedules/schedule.ts';
import { createZonedParts } from '../../../src/platform/lib/zoned-time.ts';
import { acceptedCrons } from '../../fixtures/crons.ts';
import { startLabApi, type LabApi } from '../../labs/lab-api.ts';
import { createScheduleScene } from '../../labs/schedule-scene.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

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

/** Far away, so that none of its times passes. */
const year = 2098;
const hourMs = 3_600_000;

/** The days of the year on which the clocks of a zone change, as `MM-DD`. */
function findChanges(zone: string): { forward: string; back: string } {
  const toParts = createZonedParts(zone);
  const found = { forward: '', back: '' };
  for (let at = Date.UTC(year, 0, 2); at < Date.UTC(year, 11, 30); at += hourMs / 2) {
    const [before, after] = [toParts(new Date(at - 1_000)), toParts(new Date(at))];
    const minutes = ({ offset }: { offset: string }) => Number(`${offset[0]}1`) * toMinutes(offset.slice(1));
    if (minutes(after) > minutes(before)) found.forward = after.date.slice(5);
    if (minutes(after) < minutes(before)) found.back = before.date.slice(5);
  }
  return found;
}

function toTwo(number: number): string {
  return String(number).padStart(2, '0');
}

function toMinutes(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The times of the next runs of a schedule, once Temporal has answered. */
async function findNextRuns(times: object, timeZone: string): Promise<string[]> {
  const action = { kind: 'turn', agentId, message: 'Good morning.' };
  const { id } = await scheduling.createSchedule({ times, timeZone, action });
  for (;;) {
    const { schedule } = await api.ask<{ schedule: ScheduleDetails }>('GET', `/api/schedules/${id}`);
    if (schedule.nextRuns !== null) return schedule.nextRuns;
  }
}

let agentId: string;
beforeAll(async () => {
  agentId = (await lab.scene()).agent.id;
});

/** The rows of the table in the documentation. */
const document = await readFile(new URL('../../../docs/schedules.md', import.meta.url), 'utf8');
const [, table = ''] = /<!-- clocks -->([^]*)<!-- \/clocks -->/.exec(document) ?? [];
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));

test('the documentation says what happens in five zones', () => {
  expect(new Set(rows.map(([, zone]) => zone)).size).toBe(5);
});

describe('on the days when clocks change', () => {
  test.each(rows.map(([, zone = '', cron = '', ...days]) => ({ zone, cron, expected: days.slice(0, 2) })))(
    'the next runs in $zone of $cron are those of the documentation',
    async ({ zone, cron, expected }) => {
      const toParts = createZonedParts(zone);
      const days = findChanges(zone);
      const find = async (day: string) => {
        const [month, date] = day.split('-').map(Number);
        const onDay = `${cron.split(' ').slice(0, 2).join(' ')} ${date} ${month} * ${year}`;
        const found = await findNextRuns({ cron: onDay }, zone);
        const texts = found
          .map((at) => toParts(new Date(at)))
          .map(({ time, offset }) => time.slice(0, 5) + offset);
        return texts.length === 0 ? 'no run' : texts.join(', ');
      };
      expect(await Promise.all([find(days.forward), find(days.back)])).toEqual(expected);
    },
  );
});

test.each(acceptedCrons)('Temporal takes the cron expression %s', async (cron) => {
  expect(await findNextRuns({ cron }, 'UTC')).not.toEqual([]);
});

test('Temporal reads the fields of a cron expression as the documentation says', async () => {
  expect(await findNextRuns({ cron: '30 5/20 8 1,2 jan * 2098' }, 'UTC')).toEqual(
    [1, 2].flatMap((day) => [5, 25, 45].map((minute) => `2098-01-0${day}T08:${toTwo(minute)}:30.000Z`)),
  );
  // 7 is Sunday, as 0 is.
  const sundays = await Promise.all(
    ['0', '7', 'SUN'].map((day) => findNextRuns({ cron: `0 9 * 2 ${day} 2099` }, 'UTC')),
  );
  expect(sundays).toEqual(
    sundays.map(() => [1, 8, 15, 22].map((day) => `2099-02-${toTwo(day)}T09:00:00.000Z`)),
  );
  const calendars = [{ hour: 9, month: 2, dayOfWeek: 1, dayOfMonth: { start: 8, end: 14 }, year: 2099 }];
  expect(await findNextRuns({ calendars }, 'UTC')).toEqual(['2099-02-09T09:00:00.000Z']);
});

test('an expression that Temporal would read otherwise is not stored', async () => {
  const { status, error } = await api.call('POST', '/api/schedules', {
    name: 'Second Monday',
    times: { cron: '0 9 * * 1#2' },
    action: { kind: 'turn', agentId, message: 'Good morning.' },
  });
  expect([status, error.code]).toEqual([400, 'INVALID_INPUT']);
  expect(error.details).toMatchObject([{ field: 'times.cron' }]);
});
