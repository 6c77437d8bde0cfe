import { expect, test } from 'vitest';
import type { ReplayedCall, ReplayRun } from '../../../../src/domain/replay.ts';
import { toTrajectory, toTrajectoryScore } from '../../../../src/modules/replays/compare/trajectory.ts';

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

const [first, second] = [call(), call({ name: 'send' })];

test.each([
  { name: 'exact', replayed: [first, second] },
  { name: 'unordered', replayed: [second, first] },
  { name: 'arguments_differ', replayed: [call({ arguments: { amount: 6 } }), second] },
  { name: 'subset', replayed: [first] },
  { name: 'superset', replayed: [first, second, second] },
  { name: 'different', replayed: [first, call({ name: 'refund' })] },
])('calls may relate to the recorded ones as $name', ({ name, replayed }) => {
  expect(toTrajectory(run(first, second), run(...replayed))).toBe(name);
});
