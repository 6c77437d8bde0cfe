import { expect, test } from 'vitest';
import type { ReplayedCall, ReplayRun } from '../../../../src/domain/replay.ts';
import { toTrajectoryScore } from '../../../../src/modules/replays/compare/trajectory.ts';

const call = (changes: Partial<ReplayedCall> = {}): ReplayedCall => ({
  ...{ name: 'pay', arguments: { amount: 5 }, answeredBy: null, recordedCallId: null, rule: null },
  ...{ status: 'succeeded', result: 'paid', ...changes },
});

const run = (...calls: ReplayedCall[]) =>
  ({ turns: [{ steps: [{ iteration: 1, text: '', calls }] }] }) as unknown as ReplayRun;

const blocked = { status: 'blocked', rule: 'policy' } as const;

test('a call that a rule blocks is not credited when it was answered as recorded', () => {
  const replayed = run(call({ ...blocked, answeredBy: 'blocked' }));
  expect(toTrajectoryScore(run(call()), replayed)).toBe(0);
});

test('a call that was blocked as recorded is credited when it is blocked again', () => {
  const replayed = run(call({ ...blocked, answeredBy: 'blocked' }), call({ name: 'b', answeredBy: 'exact' }));
  expect(toTrajectoryScore(run(call(blocked), call({ name: 'b' })), replayed)).toBe(1);
});
