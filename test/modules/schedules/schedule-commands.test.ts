import { describe, expect, it } from 'vitest';
import { createZonedTime } from '../../../src/clients/cli/zoned-time.ts';
import { runCli, toEnvironment } from '../../labs/run-cli.ts';
import { answerWith, startScriptedApi } from '../../servers/scripted-api.ts';

describe('a time in a zone', () => {
  it.for([
    ['Europe/Berlin', '2026-03-28T08:00:00.000Z', '2026-03-28 09:00:00 +01:00 Europe/Berlin'],
    ['Europe/Berlin', '2026-03-30T07:00:00.000Z', '2026-03-30 09:00:00 +02:00 Europe/Berlin'],
    ['Asia/Kolkata', '2026-01-01T20:00:00.000Z', '2026-01-02 01:30:00 +05:30 Asia/Kolkata'],
    ['America/New_York', '2026-01-01T05:00:00.000Z', '2026-01-01 00:00:00 -05:00 America/New_York'],
    ['UTC', '2026-01-01T00:00:00.000Z', '2026-01-01 00:00:00 +00:00 UTC'],
  ] as const)('in %s, %s is %s', ([zone, time, shown]) => {
    expect(createZonedTime(zone)(time)).toBe(shown);
  });
});

describe('holdfast schedules show', () => {
  it('shows next and last runs in the zone of the schedule', async () => {
    const schedule = {
      ...{ id: 's-1', name: 'Report', times: { cron: '0 9 * * 1-5' }, timeZone: 'Europe/Berlin' },
      ...{ overlap: 'skip', paused: false, stoppedReason: null, stoppedAt: null },
      nextRuns: ['2026-03-27T08:00:00.000Z', '2026-03-30T07:00:00.000Z'],
    };
    const run = {
      ...{ id: 'r-1', scheduledAt: '2026-03-26T08:00:00.000Z', status: 'ended', outcome: 'completed' },
      ...{ turnId: 't-1', replayId: null, routineRunId: null, error: null },
    };
    const api = await startScriptedApi({
      'GET /api/schedules/s-1': answerWith({ schedule }),
      'GET /api/schedules/s-1/runs': answerWith({ runs: [run], nextCursor: null }),
    });
    const { stdout } = await runCli(['schedules', 'show', 's-1'], { environment: toEnvironment(api) });
    expect(stdout).toBe(
      'Report: 0 9 * * 1-5 Europe/Berlin, overlap skip\n' +
        '  next  2026-03-27 09:00:00 +01:00 Europe/Berlin\n' +
        '  next  2026-03-30 09:00:00 +02:00 Europe/Berlin\n' +
        '  ran   2026-03-26 09:00:00 +01:00 Europe/Berlin  completed  t-1\n',
    );
  });
});
