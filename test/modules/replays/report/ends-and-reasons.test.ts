import { text as toText } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { toVerdictLine } from '../../../../src/domain/replay-words.ts';
import type { ReportHead } from '../../../../src/domain/replay-report.ts';
import { buildReport } from '../../../../src/modules/replays/report/build-report.ts';
import { writeReport, type reportFormats } from '../../../../src/modules/replays/report/report-formats.ts';
import { createPlayedReplay } from '../../../labs/replayed-runs.ts';

const reader = { scopes: ['replays:read' as const, 'conversations:read' as const] };

async function write(
  format: (typeof reportFormats)[number],
  changes: Parameters<typeof createPlayedReplay>[1],
): Promise<string> {
  const report = await buildReport(createPlayedReplay([{ original: {}, candidate: {} }], changes), reader, {
    replayId: 'replay',
  });
  const { frames } = await writeReport(report, { format });
  return toText(frames);
}

const stopped = { status: 'stopped', runs: { total: 40, done: 2, failed: 0 } } as const;

test('a stopped replay says so in Markdown', async () => {
  expect(await write('markdown', stopped)).toContain(
    '**The replay is stopped: 2 of 40 runs were made, and this report has no others.**',
  );
  expect(await write('markdown', {})).not.toContain('The replay is');
});

test('a stopped replay is an error in JUnit XML', async () => {
  const text = await write('junit', stopped);
  expect(text).toContain('tests="2" failures="0" errors="1"');
  expect(text).toContain('<error type="stopped" message="The replay is stopped: 2 of 40 runs were made');
  expect(await write('junit', {})).toContain('tests="1" failures="0" errors="0"');
});

test('a metric that is better is no reason for the verdict worse', () => {
  const value = (number: number) => ({ value: number, low: null, high: null });
  const metric = { first: value(1), second: value(0.5) };
  const head = {
    judgement: {
      verdict: 'worse',
      metrics: [
        { name: 'passed', verdict: 'worse', ...metric },
        { name: 'costUsd', verdict: 'better', ...metric },
      ],
    },
    ...{ replay: {}, partial: false },
  } as unknown as ReportHead;
  expect(toVerdictLine(head)).toBe('worse (pass rate 100.0 % → 50.0 %).');
});
