import { describe, expect, it } from 'vitest';
import { findCronProblem } from '../../../src/modules/schedules/cron.ts';
import { scheduleInputSchema } from '../../../src/modules/schedules/schedule.ts';
import { acceptedCrons } from '../../fixtures/crons.ts';

it.each(acceptedCrons)('%s is a cron expression', (text) => {
  expect(findCronProblem(text)).toBeNull();
});

it.each([
  ['0 9 * * 1#2', 'begins a comment'],
  ['0 9 * * * # every morning', 'begins a comment'],
  ['0 0 9 * * *', 'expected a year as the last of 6 fields'],
  ['0 0 9 * * MON', 'expected a year as the last of 6 fields'],
  ['0 0 9 * * ?', 'expected a year as the last of 6 fields'],
  [
    '0 0 9 * * 1',
    'expected *, numbers from 2000 to 2100, ranges such as a-b and steps such as */n as the year, found "1"',
  ],
  ['0 9 13 * 5', 'expected * as the day or as the weekday'],
  ['0 9 1,15 * MON-FRI', 'expected * as the day or as the weekday'],
  ['0 9 * *', 'expected 5 fields (minute hour day month weekday), found 4'],
  ['0 0 9 * * * 2099 1', 'found 8'],
  ['60 9 * * *', 'numbers from 0 to 59, ranges such as a-b and steps such as */n as the minute, found "60"'],
  ['0 24 * * *', 'as the hour, found "24"'],
  ['0 9 0 * *', 'as the day, found "0"'],
  ['0 9 L * *', 'as the day, found "L"'],
  ['0 9 15W * *', 'as the day, found "15W"'],
  ['0 9 ? * *', 'as the day, found "?"'],
  ['0 9 * JA *', 'as the month, found "JA"'],
  ['0 9 * * 8', 'as the weekday, found "8"'],
  ['0 9 * * FRI-MON', 'a range of the weekday that begins with its lower end'],
  ['0 22-2 * * *', 'a range of the hour that begins with its lower end'],
  ['*/0 * * * *', 'as the minute, found "*/0"'],
  ['*-5 * * * *', 'as the minute, found "*-5"'],
  ['1-2-3 * * * *', 'as the minute, found "1-2-3"'],
  ['1,,2 * * * *', 'as the minute, found ""'],
  ['H 9 * * *', 'as the minute, found "H"'],
  ['-1 9 * * *', 'as the minute, found "-1"'],
  ['@reboot', 'expected one of @yearly'],
  ['@Daily', 'expected one of @yearly'],
  ['@every 500ms', 'whole seconds'],
  ['@every 1.5s', 'whole seconds'],
  ['@every 0s', 'whole seconds'],
  ['@every 1m/2m', 'shorter than the interval'],
  ['TZ=Europe/Berlin 0 9 * * *', 'expected no time zone'],
  ['CRON_TZ=Europe/Berlin 0 9 * * *', 'expected no time zone'],
])('%s is refused', (text, problem) => {
  expect(findCronProblem(text)).toContain(problem);
});

describe('the times of a schedule', () => {
  const action = { kind: 'turn', agentId: '01a21f53-be04-77e2-875e-2465e7857eb6', message: 'Go' };
  const parse = (times: object, timeZone = 'UTC') =>
    scheduleInputSchema.safeParse({ name: 'Report', times, timeZone, action });

  it.each([
    [{ cron: ['0 9 * * *', '0 9 * * 1#2'] }, 'times.cron.1'],
    [{ cron: '0 9 * * 1#2' }, 'times.cron'],
    [{ interval: { everyMs: 1_500 } }, 'times.interval.everyMs'],
    [{ interval: { everyMs: 2_000, offsetMs: 10 } }, 'times.interval.offsetMs'],
    [{ calendars: [{ hour: 9 }, { hour: { start: 22, end: 0 } }] }, 'times.calendars.1.hour'],
    [{ calendars: [{ dayOfWeek: [1, { start: 5, end: 0 }] }] }, 'times.calendars.0.dayOfWeek'],
    [{ calendars: [{ minute: { start: 3, step: 5 } }] }, 'times.calendars.0.minute'],
  ])('%j are refused, which Temporal reads otherwise', (times, field) => {
    expect(parse(times).error?.issues.map(({ path }) => path.join('.'))).toEqual([field]);
  });

  it.each([
    { interval: { everyMs: 90_000, offsetMs: 30_000 } },
    { calendars: [{ dayOfWeek: 1, dayOfMonth: { start: 1, end: 7 }, hour: { start: 9 } }] },
    { calendars: [{ minute: { start: 3, end: 59, step: 5 } }] },
  ])('%j are accepted', (times) => {
    expect(parse(times).success).toBe(true);
  });

  it('have a zone with a name', () => {
    expect(parse({ cron: '0 9 * * *' }, '+01:00').error?.issues).toMatchObject([{ path: ['timeZone'] }]);
  });
});
