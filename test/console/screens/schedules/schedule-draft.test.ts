import { describe, expect, test } from 'vitest';
import type { Schedule } from '../../../../console/src/api/types.ts';
import { describeTimes } from '../../../../console/src/screens/schedules/describe-times.ts';
import { createDraft, toBody, toDraft } from '../../../../console/src/screens/schedules/schedule-draft.ts';
import { scheduleInputSchema } from '../../../../src/modules/schedules/schedule.ts';

const id = '01a22103-0fe9-71e9-b643-033d11c2fa5a';

/** A stored schedule with these fields. */
const toSchedule = (fields: Partial<Schedule>): Schedule => ({
  ...{ id, name: 'Report', times: { cron: ['0 9 * * *'] }, timeZone: 'Europe/Berlin', overlap: 'skip' },
  ...{ catchUpMs: 600_000, paused: false, createdBy: { apiKeyId: id, actingFor: null }, changedBy: null },
  ...{ stoppedAt: null, stoppedReason: null, createdAt: '', updatedAt: '' },
  action: { kind: 'turn', agentId: id, message: 'Anything new?' },
  ...fields,
});

const replay = {
  name: 'Nightly',
  selection: { agentId: id, outcomes: ['completed'] },
  candidate: { model: 'demo' },
};

describe('the form of a schedule', () => {
  test.each([
    { times: { cron: ['0 9 * * 1-5', '@daily'] } },
    { times: { interval: { everyMs: 10_800_000, offsetMs: 90_000 } }, overlap: 'buffer_all' as const },
    { times: { interval: { everyMs: 61_000, offsetMs: 0 } } },
    { times: { calendars: [{ hour: 9, dayOfWeek: { start: 1, end: 5 } }] }, catchUpMs: 90_000 },
    { action: { kind: 'turn' as const, conversationId: id, message: 'Hello', actingFor: 'ada' } },
    { action: { kind: 'routine' as const, routineId: id, input: { days: [1, null] } } },
    { action: { kind: 'replay' as const, replay: replay as never } },
  ])('keeps what a schedule has: %j', (fields) => {
    const schedule = toSchedule(fields);
    const body = scheduleInputSchema.parse(toBody(toDraft(schedule)));
    const { name, times, timeZone, overlap, catchUpMs } = schedule;
    expect(body).toMatchObject({ name, timeZone, overlap, catchUpMs, action: schedule.action });
    expect(scheduleInputSchema.parse({ ...body, times }).times).toEqual(body.times);
  });

  test('makes no request while something is missing or is wrong', () => {
    const complete = { ...createDraft('UTC'), name: 'Report', agentId: id, message: 'Hello' };
    expect(toBody(complete)).toBeDefined();
    const wrong = [
      { name: ' ' },
      { agentId: '' },
      { message: ' ' },
      { cron: '\n' },
      { times: 'interval' as const, every: '0' },
      { times: 'interval' as const, every: 'often' },
      { times: 'interval' as const, shiftMinutes: '-1' },
      { times: 'calendars' as const, calendars: '{' },
      { kind: 'routine' as const, routineId: '' },
      { kind: 'routine' as const, routineId: id, input: '{' },
      { kind: 'replay' as const, replay: '[]' },
      { catchUpMinutes: 'late' },
    ];
    for (const change of wrong) expect(toBody({ ...complete, ...change })).toBeUndefined();
  });

  test('says when a schedule runs', () => {
    const texts = [
      toSchedule({ times: { cron: '@daily' } }),
      toSchedule({ times: { cron: ['0 9 * * *', '0 12 * * *'] } }),
      toSchedule({ times: { interval: { everyMs: 3_600_000, offsetMs: 0 } } }),
      toSchedule({ times: { interval: { everyMs: 7_200_000, offsetMs: 120_000 } } }),
      toSchedule({ times: { interval: { everyMs: 1_500, offsetMs: 0 } } }),
      toSchedule({ times: { calendars: [{ hour: 9 }, { hour: 10 }] } }),
    ].map(describeTimes);
    expect(texts).toEqual([
      '@daily, Europe/Berlin',
      '0 9 * * * and 0 12 * * *, Europe/Berlin',
      'every 1 hour',
      'every 2 hours, shifted by 2 minutes',
      'every 1.5 s',
      '2 calendars, Europe/Berlin',
    ]);
  });
});
