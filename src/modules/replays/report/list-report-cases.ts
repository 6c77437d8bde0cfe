import { HoldfastError } from '../../../domain/errors.ts';
import type { ReplayCaseDetails, ReportCase } from '../../../domain/replay-report.ts';
import type { InReplays } from './create-replay-summary.ts';
import { finishCase, toDraft } from './fit-texts.ts';
import { toReportCase } from './to-report-case.ts';
import type { Actor } from '../../../domain/actor.ts';
import { authorize } from '../../../domain/authorize.ts';

interface CasePage {
  replayId: string;
  /** The position after which the page begins; null for the first page. */
  after: number | null;
  limit: number;
  onlyChanged: boolean;
}

/**
 * Lists the cases of a replay whose candidate has run, in the order of their positions.
 * @throws HoldfastError `NOT_FOUND`, `FORBIDDEN` without `conversations:read`
 */
export async function listReportCases(
  inReplays: InReplays,
  reader: Pick<Actor, 'scopes'>,
  { replayId, limit, ...page }: CasePage,
): Promise<{ items: ReportCase[]; nextCursor: string | null }> {
  authorize(reader, 'replays.readTexts');
  const [positions] = await inReplays(({ replays, replayCases }) =>
    Promise.all([
      replayCases.listPositions({ replayId, ...page, most: limit + 1 }),
      replays.getReplay(replayId),
    ]),
  );
  const runs = await inReplays(({ replayCases }) =>
    replayCases.listRunsAt(replayId, positions.slice(0, limit)),
  );
  const items = [...Map.groupBy(runs, ({ position }) => position).values()].flatMap((runsOfCase) => {
    const reportCase = toReportCase(runsOfCase);
    return reportCase ? [finishCase(toDraft(reportCase))] : [];
  });
  const last = positions[limit - 1];
  return { items, nextCursor: positions.length > limit && last !== undefined ? String(last) : null };
}

/**
 * Returns a case of a replay with all its runs, whose texts are whole.
 * @throws HoldfastError `NOT_FOUND`, `FORBIDDEN` without `conversations:read`
 */
export async function getReplayCase(
  inReplays: InReplays,
  reader: Pick<Actor, 'scopes'>,
  { replayId, position }: { replayId: string; position: number },
): Promise<ReplayCaseDetails> {
  authorize(reader, 'replays.readTexts');
  const [runs] = await inReplays(({ replays, replayCases }) =>
    Promise.all([replayCases.listRunsAt(replayId, [position]), replays.getReplay(replayId)]),
  );
  const [first] = runs;
  if (!first) throw new HoldfastError('NOT_FOUND', `The replay has no runs of a case ${position}.`);
  return {
    ...{ position, conversationId: first.conversationId },
    runs: runs.map(({ lane, repeat, run, comparison, error, outside }) => ({
      ...{ lane, repeat, run, comparison, error, outside },
    })),
  };
}
