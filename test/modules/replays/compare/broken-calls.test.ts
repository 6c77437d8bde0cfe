import { describe, expect, it } from 'vitest';
import {
  passRuleSchema,
  trajectories,
  type ReplayedCall,
  type ReplayRun,
} from '../../../../src/domain/replay.ts';
import { noUsage } from '../../../../src/domain/usage.ts';
import { compareRuns } from '../../../../src/modules/replays/compare/compare-runs.ts';

type Call = Pick<ReplayedCall, 'name'> & Partial<ReplayedCall>;

function toRun(...steps: Call[][]): ReplayRun {
  const turn = {
    ...{ turnId: 'turn', message: 'Refund it.', outcome: 'completed' as const, answer: 'Done.', error: null },
    ...{ unasked: [], usage: noUsage, costUsd: null, durationMs: 1 },
  };
  const toCall = (call: Call): ReplayedCall => ({
    ...{
      arguments: { order: 1 },
      answeredBy: null,
      recordedCallId: null,
      status: 'succeeded',
      result: 'ok',
      rule: null,
    },
    ...call,
  });
  return {
    turns: [
      {
        ...turn,
        steps: steps.map((calls, iteration) => ({ iteration, text: '', calls: calls.map(toCall) })),
      },
    ],
  };
}

const refund = { name: 'refund' };
const refused: Call = {
  ...{ ...refund, answeredBy: 'refused', status: 'failed' },
  result: 'UNKNOWN_TOOL: There is no tool refund. Use one of the tools you were given.',
};
const blocked: Call = {
  ...refund,
  answeredBy: 'blocked',
  status: 'blocked',
  rule: 'policy',
  result: 'TOOL_BLOCKED: No.',
};
const exact: Call = { ...refund, answeredBy: 'exact' };
const lenient = passRuleSchema.parse({ trajectories: [...trajectories] });

const compare = (original: ReplayRun, run: ReplayRun) => compareRuns(original, run, lenient);

describe('a call that was answered when recorded', () => {
  it('is a change that fails the case when its tool is gone', () => {
    expect(compare(toRun([refund]), toRun([refused]))).toMatchObject({
      ...{ passed: false, trajectory: 'exact' },
      firstDifference: {
        kind: 'refused',
        iteration: 1,
        expected: 'refund {"order":1}',
        found: refused.result,
      },
      brokenCalls: [{ turn: 1, iteration: 1, name: 'refund', answeredBy: 'refused', reason: refused.result }],
    });
  });

  it('fails the case when a rule blocks it, or nothing but a stub answers it', () => {
    expect(compare(toRun([refund]), toRun([blocked]))).toMatchObject({
      ...{ passed: false, firstDifference: { kind: 'rule' }, brokenCalls: [{ answeredBy: 'blocked' }] },
    });
    const stubbed: Call = { ...refund, answeredBy: 'stub' };
    expect(compare(toRun([refund]), toRun([stubbed]))).toMatchObject({
      passed: false,
      firstDifference: { kind: 'refused' },
    });
  });

  it('fails the case with other arguments too', () => {
    const run = toRun([{ ...refused, arguments: { order: 'one' } }]);
    expect(compare(toRun([refund]), run)).toMatchObject({
      ...{ passed: false, trajectory: 'arguments_differ', brokenCalls: [{ name: 'refund' }] },
    });
  });

  it('is not broken when the model corrects it and gets the answer', () => {
    const run = toRun([{ ...refused, arguments: { order: 'one' } }], [exact]);
    expect(compare(toRun([refund]), run)).toMatchObject({ passed: true, brokenCalls: [] });
  });

  it('is broken once for each time that it was answered', () => {
    const run = toRun([exact, refused], [refused]);
    expect(compare(toRun([refund, refund]), run).brokenCalls).toHaveLength(1);
  });
});

describe('a call that was not answered when recorded', () => {
  it('changes nothing when it is refused or blocked again', () => {
    const wasRefused: Call = { ...refused, answeredBy: null, status: 'requested' };
    expect(compare(toRun([wasRefused]), toRun([refused]))).toMatchObject({
      passed: true,
      firstDifference: null,
    });
    const wasBlocked: Call = { ...blocked, answeredBy: null };
    expect(compare(toRun([wasBlocked]), toRun([blocked]))).toMatchObject({ passed: true, brokenCalls: [] });
  });

  it('changes nothing when its recorded refusal is the answer', () => {
    const wasRefused: Call = { ...refused, answeredBy: null };
    const again: Call = { ...refused, answeredBy: 'exact' };
    expect(compare(toRun([wasRefused]), toRun([again]))).toMatchObject({
      passed: true,
      firstDifference: null,
    });
  });
});
