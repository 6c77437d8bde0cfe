import type { EndedRun } from '../replay-case-repository.ts';
import { judgeVerdicts, type JudgeVerdict } from '../../../domain/replay.ts';
import type { JudgeSummary } from '../../../domain/replay-report.ts';
import type { Cluster } from '../../../engines/statistics/clustered-mean.ts';
import { toRateEstimate } from '../../../engines/statistics/rate-estimate.ts';

type Counts = Record<JudgeVerdict, number>;

/** Counts the verdicts of a judge about the candidate, and compares them with those of people, by the id of the turn. */
export function createJudgeSums(labels: Record<string, JudgeVerdict>) {
  const sums = { flipped: 0, labelled: 0, agreed: 0 };
  const byConversation = new Map<string, Counts>();
  return {
    /** The label of a case is that of its last turn. */
    add: ({ lane, run, comparison, conversationId }: EndedRun): void => {
      const judged = comparison?.judged;
      if (lane !== 'candidate' || !judged) return;
      const counts = byConversation.get(conversationId) ?? { better: 0, worse: 0, tie: 0 };
      counts[judged.verdict] += 1;
      byConversation.set(conversationId, counts);
      if (judged.flipped) sums.flipped += 1;
      const label = labels[run?.turns.at(-1)?.turnId ?? ''];
      if (label === undefined) return;
      sums.labelled += 1;
      if (label === judged.verdict) sums.agreed += 1;
    },
    toSummary: (): JudgeSummary => ({ ...sums, ...sumVerdicts([...byConversation.values()]) }),
  };
}

const confidence = 0.95;

/** Verdicts about cases of one conversation may depend on each other. */
function sumVerdicts(conversations: Counts[]): Counts & Pick<JudgeSummary, 'shares'> {
  const toClusters = (verdict: JudgeVerdict) =>
    conversations.map((counts): Cluster => ({
      sum: counts[verdict],
      size: counts.better + counts.worse + counts.tie,
    }));
  const each = <Value>(read: (clusters: Cluster[]) => Value) =>
    Object.fromEntries(judgeVerdicts.map((verdict) => [verdict, read(toClusters(verdict))])) as Record<
      JudgeVerdict,
      Value
    >;
  return {
    ...each((clusters) => clusters.reduce((all, { sum }) => all + sum, 0)),
    shares: conversations.length === 0 ? null : each((clusters) => toRateEstimate(clusters, confidence)),
  };
}
