import { text as toText } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { replayInputSchema } from '../../../../src/domain/replay.ts';
import { replayReportSchema, type ReplayReport } from '../../../../src/domain/replay-report.ts';
import { buildReport } from '../../../../src/modules/replays/report/build-report.ts';
import { writeReport, type reportFormats } from '../../../../src/modules/replays/report/report-formats.ts';
import { createPlayedReplay, type PlayedCase } from '../../../labs/replayed-runs.ts';

const reader = { scopes: ['replays:read' as const, 'conversations:read' as const] };

type Format = (typeof reportFormats)[number];

async function write(
  cases: PlayedCase[],
  format: Format = 'json',
  changes: Parameters<typeof createPlayedReplay>[1] = {},
): Promise<string> {
  const report = await buildReport(createPlayedReplay(cases, changes), reader, { replayId: 'replay' });
  const { frames } = await writeReport(report, { format });
  return toText(frames);
}

const read = async (cases: PlayedCase[], changes?: Parameters<typeof createPlayedReplay>[1]) =>
  JSON.parse(await write(cases, 'json', changes)) as ReplayReport;

const same: PlayedCase = { original: {}, candidate: {} };
const otherAnswer: PlayedCase = {
  original: { answer: 'Paris is the capital.' },
  candidate: { answer: 'Rome is the capital.' },
};
const otherCall: PlayedCase = { original: {}, candidate: { queries: ['mail'] } };
const otherOutcome: PlayedCase = { original: {}, candidate: { outcome: 'missed' } };
const notRun: PlayedCase = { original: {}, candidate: null };

describe('the report of a replay', () => {
  it('is what its schema says', async () => {
    const text = await write([same, otherAnswer, otherCall, otherOutcome, notRun]);
    expect(replayReportSchema.parse(JSON.parse(text))).toEqual(JSON.parse(text));
  });

  it('shows the cases that changed most first', async () => {
    const { cases } = await read([same, otherAnswer, otherCall, notRun, otherOutcome]);
    expect(cases.map(({ position, change, changed }) => [position, change, changed])).toEqual([
      [3, 4, true],
      [4, 3, true],
      [2, 2.9, true],
      [1, 1.9, true],
      [0, 0, false],
    ]);
  });

  it('compares the answers of a case word by word, and names one that is the same once', async () => {
    const { cases } = await read([otherAnswer, same]);
    expect(cases[0]?.answerDiff).toEqual([
      [-1, 'Paris'],
      [1, 'Rome'],
      [0, ' is the capital.'],
    ]);
    expect(cases[1]).toMatchObject({
      answerDiff: null,
      lanes: { original: { answer: 'Done.' }, candidate: { answer: null } },
    });
  });

  it('counts a case that could not be run as not passed, and says why', async () => {
    const { cases, lanes, summary } = await read([notRun, same, same, same]);
    expect(cases[0]?.lanes.candidate).toMatchObject({ passed: false, error: { code: 'MODEL_UNAVAILABLE' } });
    expect(lanes.candidate).toMatchObject({
      ...{ runs: 4, failed: 1, passed: 3, passRate: { value: 0.75 } },
      durations: { p50Ms: 800, p95Ms: 800 },
    });
    expect(summary.differences).toEqual({ not_run: 1, none: 3 });
  });

  it('says that it is partial while the replay runs', async () => {
    const { partial } = await read([same], { status: 'running', settledAt: null });
    expect(partial).toBe(true);
  });
});

const labels = { 'turn-0': 'better', 'turn-1': 'worse' } as const;
const judged = {
  input: replayInputSchema.parse({
    selection: {},
    judge: { model: 'compatible/judge', rubric: 'Shorter <b>is</b> better.' },
  }),
};
judged.input.judge = { ...judged.input.judge, labels } as typeof judged.input.judge;

/** Four cases: the judge prefers the candidate twice, contradicts itself once, and never saw the last one. */
const judgedCases: PlayedCase[] = [
  { original: {}, baseline: { judged: 'tie' }, candidate: { judged: 'better' } },
  { original: {}, baseline: { judged: 'tie' }, candidate: { judged: 'better' } },
  { original: {}, baseline: { judged: 'tie' }, candidate: { judged: 'flipped' } },
  { ...notRun, baseline: { judged: 'tie' } },
];

describe('the judge in a report', () => {
  it('is counted with the shares of its verdicts, and a run that could not be made has lost', async () => {
    const { summary, judgement, cases } = await read(judgedCases, judged);
    expect(summary.judge).toMatchObject({
      ...{ better: 2, worse: 0, tie: 1, flipped: 1, labelled: 2, agreed: 1 },
      shares: { better: { value: 2 / 3 }, worse: { value: 0 } },
    });
    expect(summary.judge?.shares?.better.low).toBeCloseTo(0.2077, 4);
    expect(summary.judge?.shares?.better.high).toBeCloseTo(0.9385, 4);
    expect(judgement.metrics.find(({ name }) => name === 'scores.judge')).toMatchObject({
      ...{ pairs: 4, first: { value: 0.5 }, second: { value: 0.625 } },
    });
    expect(cases.find(({ position }) => position === 2)?.lanes.candidate?.judged).toEqual({
      ...{ verdict: 'tie', flipped: true, promptHash: '0123456789abcdef' },
      reasons: ['It is shorter.', 'It <b>says</b> more.'],
    });
  });

  it('is a metric without a baseline too, against a tie', async () => {
    const input = { ...judged.input, baseline: false };
    const { judgement } = await read(judgedCases.slice(0, 2), { input });
    expect(judgement.metrics.find(({ name }) => name === 'scores.judge')).toMatchObject({
      ...{ first: { value: 0.5 }, second: { value: 1 } },
    });
  });

  it('is a sentence in Markdown, and properties in JUnit', async () => {
    const counts = 'better (66.7 %, 95 % interval 20.8 to 93.9 %)';
    const trust =
      'it contradicted itself in 1 of 3 (33.3 %) when the answers changed places; it agreed with people in 1 of 2 (50.0 %); 1 run without a verdict';
    expect(await write(judgedCases, 'markdown', judged)).toContain(
      `The judge compatible/judge found the candidate: 2 ${counts}, 0 worse, 1 tie`,
    );
    expect(await write(judgedCases, 'markdown', judged)).toContain(trust);
    const junit = await write(judgedCases, 'junit', judged);
    expect(junit).toContain(
      '<property name="judge.model" value="compatible/judge"/><property name="judge.better" value="2"/>',
    );
    expect(junit).toContain('<properties><property name="judge" value="better"/></properties></testcase>');
  });

  it('is left out of a report without one', async () => {
    expect(await write([same], 'markdown')).not.toContain('judge');
    expect(await write([same], 'junit')).not.toContain('judge');
    expect((await read([same])).summary.judge).toBeNull();
  });
});

describe('the Markdown of a report', () => {
  it('begins with the verdict and ends with the cases that changed', async () => {
    const text = await write([same, otherCall], 'markdown');
    const [heading, , , , counts] = text.split('\n');
    expect(heading).toMatch(
      /^### Replay ` A <b>shorter<\/b> prompt `: inconclusive \(pass rate 100\.0 % → 50\.0 %\)\.$/,
    );
    expect(counts).toBe(
      '2 recorded turns; 1 of 2 runs of the candidate passed, 1 differs from what was recorded.',
    );
    expect(text).toContain(
      '| 1 | ` Message 1 ` | ` step 1, tool changed: look_up {"query":"a"} → send_mail {"query":"mail"} ` |',
    );
  });

  it('shows texts of others as code that cannot end early', async () => {
    const original = { message: 'a ``` | @everyone\n# no heading' };
    const text = await write([{ original, candidate: { queries: [] } }], 'markdown');
    expect(text).toContain('| ```` a ``` \\| @everyone # no heading ```` |');
  });
});

describe('the JUnit file of a report', () => {
  it('has a test case for each case, which fails with its first difference', async () => {
    const text = await write([same, otherCall, notRun], 'junit');
    expect(text).toContain(
      '<testsuite name="A &lt;b&gt;shorter&lt;/b&gt; prompt" tests="3" failures="1" errors="1"',
    );
    expect(text).toContain(
      '<failure type="tool changed" message="step 1, tool changed: look_up {&quot;query&quot;:&quot;a&quot;}',
    );
    expect(text).toContain(
      '<error type="MODEL_UNAVAILABLE" message="could not be run: The model did not answer.">',
    );
    expect(text.match(/<testcase /g)).toHaveLength(3);
  });

  it('leaves out characters that XML cannot have', async () => {
    const text = await write([{ original: { message: 'a\u0000\u001b[31m<&' }, candidate: {} }], 'junit');
    expect(text).toContain('&lt;&amp;');
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
  });
});
