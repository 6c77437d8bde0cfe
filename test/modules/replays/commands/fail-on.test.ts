import { describe, expect, it } from 'vitest';
import { findFailures, parseFailOn } from '../../../../src/modules/replays/commands/fail-on.ts';
import { parseMargins } from '../../../../src/modules/replays/commands/margins.ts';
import type { ReplayReport } from '../../../../src/domain/replay-report.ts';
import type { Verdict } from '../../../../src/domain/replay.ts';

type Judged = Pick<ReplayReport, 'judgement' | 'summary'>;

function find(
  conditions: string,
  verdict: Verdict,
  changes: { regressed?: number; brokenCalls?: number } = {},
) {
  const summary = { changes: { regressed: 0, brokenCalls: 0, ...changes } } as Judged['summary'];
  return findFailures(
    { judgement: { metrics: [], verdict, leftOut: [] }, summary },
    parseFailOn(conditions.split(',')),
  );
}

describe('the conditions of --fail-on', () => {
  it('name the verdicts under which a replay fails', () => {
    expect(find('worse', 'worse')).toEqual(['the candidate is worse']);
    expect(find('worse', 'inconclusive')).toEqual([]);
    expect(find('worse, inconclusive', 'inconclusive')).toEqual(['the replay is too small for a verdict']);
    expect(find('worse,inconclusive,regressed', 'no evidence')).toEqual([]);
  });

  it('name what was right before, whatever the verdict is', () => {
    expect(find('regressed', 'inconclusive', { regressed: 4, brokenCalls: 1 })).toEqual([
      '4 cases and 1 tool call were right and are not any more',
    ]);
  });

  it.for(['', 'better', 'worse;inconclusive', 'toString'])(
    'are refused when they are written as %j',
    (text) => {
      expect(() => parseFailOn(text.split(','))).toThrow('--fail-on takes worse, inconclusive, regressed');
    },
  );
});

describe('the margins of --margin', () => {
  it('have the names of the API, and those that are left out stay', () => {
    expect(parseMargins(undefined)).toBeUndefined();
    expect(parseMargins(['cost=0.2', ' latency=0.5'])).toEqual({ costUsd: 0.2, durationMs: 0.5 });
    expect(parseMargins(['passed=0', 'scores=0.05'])).toEqual({ passed: 0, scores: 0.05 });
  });

  it.for(['', 'cost', 'cost=10%', 'cost=-1', 'toString=1'])(
    'are refused when they are written as %j',
    (text) => {
      expect(() => parseMargins(text.split(','))).toThrow('--margin takes passed=0.1');
    },
  );
});
