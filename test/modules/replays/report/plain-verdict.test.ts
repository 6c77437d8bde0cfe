import { text as toText } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { replayInputSchema, type GivenMargins } from '../../../../src/domain/replay.ts';
import {
  replayReportSchema,
  type ReplayReport,
  type ReplaySummary,
} from '../../../../src/domain/replay-report.ts';
import { createReplaySummary } from '../../../../src/modules/replays/report/create-replay-summary.ts';
import { buildReport } from '../../../../src/modules/replays/report/build-report.ts';
import { writeReport, type reportFormats } from '../../../../src/modules/replays/report/report-formats.ts';
import { createPlayedReplay, type PlayedCase } from '../../../labs/replayed-runs.ts';

const reader = { scopes: ['replays:read' as const, 'conversations:read' as const] };

type Changes = Parameters<typeof createPlayedReplay>[1];

async function write(
  cases: PlayedCase[],
  format: (typeof reportFormats)[number],
  { margins, ...changes }: Changes & { margins?: GivenMargins } = {},
): Promise<string> {
  const report = await buildReport(createPlayedReplay(cases, changes), reader, {
    replayId: 'replay',
    margins,
  });
  const { frames } = await writeReport(report, { format });
  return toText(frames);
}

const read = async (cases: PlayedCase[], changes?: Parameters<typeof write>[2]) =>
  JSON.parse(await write(cases, 'json', changes)) as ReplayReport;

const same: PlayedCase = { original: {}, candidate: {} };
const gone: PlayedCase = { original: {}, candidate: { queries: [] } };
const refused: PlayedCase = { original: {}, candidate: { refused: true } };
const repeat = (count: number, one: PlayedCase) => Array.from({ length: count }, () => one);

const refunds = [...repeat(4, gone), ...repeat(16, same)];
const refundText =
  'This replay is too small to say whether the candidate is worse than the version that was recorded: ' +
  'with 20 conversations the pass rate may be up to 41.6 points lower. ' +
  '4 cases that were right are wrong now: 0, 1, 2, 3.';

describe('a replay of twenty conversations of which four lost their refund', () => {
  it('names the four cases, and is inconclusive', async () => {
    const { judgement, summary } = await read(refunds);
    expect(judgement.verdict).toBe('inconclusive');
    expect(summary.changes).toMatchObject({ regressed: 4, improved: 0, regressedPositions: [0, 1, 2, 3] });
  });

  it('says so first in Markdown and JUnit, and explains the columns of the table', async () => {
    const markdown = await write(refunds, 'markdown');
    expect(markdown.split('\n')[2]).toBe(`**${refundText}**`);
    expect(await write(refunds, 'junit')).toContain(
      `<properties><property name="verdict" value="inconclusive"/><property name="summary" value="${refundText}"/>` +
        '<property name="regressed" value="4"/><property name="brokenCalls" value="0"/></properties>',
    );
    expect(markdown).toContain('p (Holm): the probability of a difference at least as large');
    expect(markdown).toContain('detectable: the smallest true difference');
  });
});

describe('a case whose calls are refused now', () => {
  it('is changed, has not passed, and is counted on top', async () => {
    const { cases, summary, lanes } = await read([refused, same]);
    expect(cases[0]).toMatchObject({
      ...{ position: 0, changed: true },
      lanes: {
        candidate: {
          passed: false,
          trajectory: 'exact',
          brokenCalls: [{ name: 'look_up', answeredBy: 'refused' }],
        },
      },
    });
    expect(lanes.candidate?.passed).toBe(1);
    expect(summary.changes).toMatchObject({ brokenCalls: 1, brokenCases: 1, brokenTools: { look_up: 1 } });
    const markdown = await write([refused, same], 'markdown');
    expect(markdown.split('\n')[2]).toContain(
      '1 tool call that was answered when recorded is refused, blocked or without an answer now: look\\_up (1).',
    );
  });

  it('fails in JUnit with the error of the call', async () => {
    expect(await write([refused, same], 'junit')).toContain(
      '<failure type="refused" message="step 1, refused: look_up {&quot;query&quot;:&quot;a&quot;} → UNKNOWN_TOOL',
    );
  });
});

describe('a replay without a baseline', () => {
  const input = replayInputSchema.parse({ selection: {}, baseline: false });
  const slower = repeat(30, {
    original: { durationMs: 9_000, costUsd: 0.5 },
    candidate: { durationMs: 20, costUsd: 0.1 },
  });

  it('compares no cost and no duration, so that the same version is not better, and says why', async () => {
    const { judgement } = await read(slower, { input });
    expect(judgement.metrics.map(({ name }) => name)).not.toContain('durationMs');
    expect(judgement.metrics.map(({ name }) => name)).not.toContain('costUsd');
    expect(judgement.verdict).not.toBe('better');
    expect(judgement.leftOut.map(({ name }) => name)).toEqual(['costUsd', 'durationMs']);
    expect(await write(slower, 'markdown', { input })).toContain(
      'Not compared: cost and duration, since there is no baseline run',
    );
  });
});

describe('the margins of a report', () => {
  const dearer = repeat(40, { original: { costUsd: 0.1 }, candidate: { costUsd: 0.105 } });

  it('are those of the replay, unless the report has others', async () => {
    expect((await read(dearer)).judgement.verdict).toBe('no evidence');
    expect((await read(dearer, { margins: { costUsd: 0.01 } })).judgement.verdict).toBe('worse');
    const input = replayInputSchema.parse({ selection: {}, margins: { costUsd: 0.01 } });
    expect((await read(dearer, { input })).judgement.verdict).toBe('worse');
    expect((await read(dearer, { input, margins: { costUsd: 0.2 } })).judgement.verdict).toBe('no evidence');
  });
});

describe('a report whose summary is stored', () => {
  it('has the verdicts that follow from its margins, whatever verdict was stored', async () => {
    const summary = await createReplaySummary(createPlayedReplay(refunds), 'replay');
    const metrics = summary.judgement.metrics.map((metric) => ({ ...metric, verdict: 'no evidence' }));
    const judgement = { ...summary.judgement, metrics, verdict: 'no evidence' };
    const stored = JSON.parse(JSON.stringify({ ...summary, judgement })) as ReplaySummary;
    const text = await write(refunds, 'json', { summary: stored });
    const report = replayReportSchema.parse(JSON.parse(text));
    expect(report.judgement.verdict).toBe('inconclusive');
    expect(report.summary.changes.regressed).toBe(4);
  });
});
