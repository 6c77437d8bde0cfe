import type { Pair } from './cluster-sums.ts';

/** The numbers of one case in one version. */
export interface CaseMetrics {
  /** `false` for a case that failed to run, too. */
  passed: boolean;
  costUsd: number | null;
  durationMs: number | null;
  /** Scores by name. A case that failed to run is left out of a score that it has not got; the caller may score it 0. */
  scores: Record<string, number>;
}

/** One case in both versions. Cases of one conversation may depend on each other. */
export interface PairedCase {
  conversationId: string;
  first: CaseMetrics;
  second: CaseMetrics;
}

/** Whether a higher or a lower value of a metric is better. */
export type Direction = 'higher' | 'lower';

/** A metric, and its pairs: the cases that have it in both versions. */
export interface Metric {
  /** `passed`, `costUsd`, `durationMs`, or `scores.` and the name of the score. */
  name: string;
  kind: 'rate' | 'mean';
  better: Direction;
  pairs: Pair[];
  /** Cases that have the metric in one version only, or in none. */
  missing: number;
}

type ReadValue = (metrics: CaseMetrics) => number | null | undefined;

/** Lists the metrics that at least one case has in both versions: passed, cost, duration, then scores by name. */
export function listMetrics(cases: readonly PairedCase[], directions: Record<string, Direction>): Metric[] {
  const scores = new Set(
    cases.flatMap(({ first, second }) => Object.keys({ ...first.scores, ...second.scores })),
  );
  const readers: [name: string, better: Direction, read: ReadValue][] = [
    ['passed', 'higher', ({ passed }) => Number(passed)],
    ['costUsd', 'lower', ({ costUsd }) => costUsd],
    ['durationMs', 'lower', ({ durationMs }) => durationMs],
    ...[...scores]
      .toSorted()
      .map((score): [string, Direction, ReadValue] => [
        `scores.${score}`,
        'higher',
        (metrics) => metrics.scores[score],
      ]),
  ];
  return readers
    .map(([name, better, read]): Metric => {
      const pairs = toPairs(cases, read);
      const kind = name === 'passed' ? 'rate' : 'mean';
      return { name, kind, better: directions[name] ?? better, pairs, missing: cases.length - pairs.length };
    })
    .filter(({ pairs }) => pairs.length > 0);
}

function toPairs(cases: readonly PairedCase[], read: ReadValue): Pair[] {
  return cases.flatMap(({ conversationId: cluster, first, second }) => {
    const [one, other] = [read(first), read(second)];
    return one == null || other == null ? [] : [{ cluster, first: one, second: other }];
  });
}
