import type { Lane } from '../../../domain/replay.ts';
import type { ReplayChanges } from '../../../domain/replay-report.ts';
import type { EndedRun } from '../replay-case-repository.ts';

/** The maximum number of cases that a report names on top. */
const mostNamed = 20;

/**
 * Counts the cases that pass less often than before, or more often, and the calls that are not answered any more. Without a
 * baseline each recorded run counts as passed.
 */
export function createCaseChanges(hasBaseline: boolean) {
  const changes: ReplayChanges = {
    ...{ regressed: 0, improved: 0, regressedPositions: [], brokenCalls: 0, brokenCases: 0, brokenTools: {} },
  };
  return {
    add: (runs: EndedRun[]): void => {
      const candidates = runs.filter(({ lane }) => lane === 'candidate');
      const [first] = candidates;
      if (!first) return;
      addBroken(changes, candidates);
      const before = hasBaseline ? toPassRate(runs, 'baseline') : 1;
      const now = toPassRate(runs, 'candidate');
      if (before === null || now === null || before === now) return;
      changes[now < before ? 'regressed' : 'improved'] += 1;
      if (now < before && changes.regressedPositions.length < mostNamed)
        changes.regressedPositions.push(first.position);
    },
    toChanges: (): ReplayChanges => changes,
  };
}

/** Null before a lane has run. */
function toPassRate(runs: EndedRun[], name: Lane): number | null {
  const ofLane = runs.filter(({ lane }) => lane === name);
  const passed = ofLane.filter(({ comparison }) => comparison?.passed === true).length;
  return ofLane.length === 0 ? null : passed / ofLane.length;
}

function addBroken(changes: ReplayChanges, candidates: EndedRun[]): void {
  const broken = candidates.flatMap(({ comparison }) => comparison?.brokenCalls ?? []);
  changes.brokenCalls += broken.length;
  if (broken.length > 0) changes.brokenCases += 1;
  for (const { name } of broken) changes.brokenTools[name] = (changes.brokenTools[name] ?? 0) + 1;
}
