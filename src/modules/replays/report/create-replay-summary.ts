import type { ReplayCaseRepository, EndedRun } from '../replay-case-repository.ts';
import type { ReplayRepository } from '../replay-repository.ts';
import type { ReplayInput } from '../../../domain/replay.ts';
import type { ReplaySummary } from '../../../domain/replay-report.ts';
import { summarizeRuns } from '../compare/summarize-runs.ts';

/** The repositories of one workspace, in one transaction. */
export interface ReplayRepositories {
  replays: ReplayRepository;
  replayCases: ReplayCaseRepository;
}

/** Runs work with the repositories of a workspace. */
export type InReplays = <Result>(
  run: (repositories: ReplayRepositories) => Promise<Result>,
) => Promise<Result>;

const casesPerPage = 100;

/** The runs of one case, of all its lanes. */
export type CaseRuns = EndedRun[];

/** Reads the runs of a replay case by case, a page at a time. */
export async function* readCaseRuns(
  inReplays: InReplays,
  { replayId, cases }: { replayId: string; cases: number },
): AsyncGenerator<CaseRuns> {
  for (let from = 0; from < cases; from += casesPerPage) {
    const runs = await inReplays(({ replayCases }) =>
      replayCases.listRuns(replayId, from, from + casesPerPage),
    );
    yield* Map.groupBy(runs, ({ position }) => position).values();
  }
}

/** Sums up the runs of a replay that are stored. */
export async function createReplaySummary(inReplays: InReplays, replayId: string): Promise<ReplaySummary> {
  const { cases, input } = await inReplays(({ replays }) => replays.getReplay(replayId));
  return summarizeRuns(readCaseRuns(inReplays, { replayId, cases: cases ?? 0 }), input satisfies ReplayInput);
}
