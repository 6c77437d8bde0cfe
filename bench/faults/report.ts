import { executionModes } from '../../src/domain/agent.ts';
import { toTable } from '../table.ts';
import type { ScenarioResult } from './run-faults.ts';
import type { Scenario } from './scenarios.ts';
import type { Verdict } from './verdict.ts';

const header = [
  'scenario',
  'accepted',
  'settled',
  'completed',
  'lost',
  'doubled',
  'wrongly told',
  'unknown',
  'broken',
  'p50 s',
  'p99 s',
];

/** The figures of all scenarios as a table, with what was found wrong. */
export function toFaultReport(results: ScenarioResult[]): string {
  const lines = results.flatMap((result) =>
    'skipped' in result
      ? [[`${result.scenario.name}: skipped, ${result.skipped}`]]
      : executionModes.map((mode) => toLine(`${result.scenario.name}, ${mode}`, result.verdicts[mode])),
  );
  const failures = listFailures(results);
  const notes = results.flatMap((result) => ('skipped' in result ? [] : toNotes(result)));
  const verdict =
    failures.length === 0 ? 'PASS: nothing lost, doubled, wrongly told or broken' : failures.join('\n');
  return [toTable(header, lines), '', ...notes, verdict].join('\n');
}

/** The expectations that were not met. */
export function listFailures(results: ScenarioResult[]): string[] {
  return results.flatMap((result) => {
    if ('skipped' in result) return [];
    return executionModes.flatMap((mode) =>
      toFailures(result.scenario, result.verdicts[mode]).map(
        (failure) => `FAIL: ${result.scenario.name}, ${mode}: ${failure}`,
      ),
    );
  });
}

function toFailures({ mostMs, allComplete }: Scenario, verdict: Verdict): string[] {
  const { accepted, completed, lost, doubled, wronglyTold, broken, p99 } = verdict;
  return [
    ...(accepted === 0 ? ['no turn was accepted'] : []),
    ...(lost > 0 ? [`${lost} turns were lost`] : []),
    ...(doubled > 0 ? [`${doubled} calls took effect twice`] : []),
    ...(wronglyTold > 0 ? [`${wronglyTold} calls were told wrong`] : []),
    ...(broken > 0
      ? [`${broken} promises of models, approvals, messages, routines or swarms were broken`]
      : []),
    ...(allComplete && completed < accepted ? [`${accepted - completed} turns did not complete`] : []),
    ...(mostMs !== undefined && p99 !== null && p99 > mostMs
      ? [`the p99 is ${toSeconds(p99)} s, expected at most ${toSeconds(mostMs)} s`]
      : []),
  ];
}

function toLine(name: string, verdict: Verdict): string[] {
  const { accepted, settled, completed, lost, doubled, wronglyTold, unknown, broken, p50, p99 } = verdict;
  const counts = [accepted, settled, completed, lost, doubled, wronglyTold, unknown, broken].map(String);
  return [name, ...counts, toSeconds(p50), toSeconds(p99)];
}

function toSeconds(ms: number | null): string {
  return ms === null ? '-' : (ms / 1000).toFixed(1);
}

function toNotes({ scenario, verdicts }: Extract<ScenarioResult, { verdicts: unknown }>): string[] {
  return executionModes.flatMap((mode) =>
    verdicts[mode].problems.map((problem) => `${scenario.name}, ${mode}: ${problem}`),
  );
}
