import { toSizeText, type ReportCase, type ReportMetric } from '../../api/replay-report.ts';
import type { Replay } from '../../api/types.ts';
import type { Tone } from '../../ui/tone.ts';

type Candidate = Replay['input']['candidate'];

/** What is different about a candidate, in a few words. */
export function toCandidateText(candidate: Candidate): string {
  const { agentVersionId, agent, model, instructions, sampling, tools, rules } = candidate;
  const changes = [
    ...(agentVersionId === undefined ? [] : ['another version']),
    ...(agent === undefined ? [] : ['an agent of a file']),
    ...(model === undefined ? [] : [model]),
    ...(instructions === undefined ? [] : ['other instructions']),
    ...(sampling === undefined ? [] : ['other sampling']),
    ...(tools === undefined ? [] : ['other tools']),
    ...(rules === undefined ? [] : ['other rules']),
  ];
  return changes.length === 0 ? 'the recorded version' : changes.join(', ');
}

/** The runs of a case, in words: as they were recorded, with the recorded version again, and with the candidate. */
export const laneNames: Record<string, string> = {
  original: 'Recorded',
  baseline: 'Recorded version, again',
  candidate: 'Candidate',
};

/** What the figures of a report say, by their names. */
export const metricHints: Record<string, string> = {
  passed: 'runs that ended as recorded, with the same tool calls',
  'scores.trajectory': 'how far the tool calls agree',
  'scores.exact': 'answers that are the same letter by letter',
  'scores.normalised': 'the same but for case, punctuation and spaces',
  'scores.jsonFields': 'how many fields of the answer agree',
  'scores.judge': '1 for a better answer, 0 for a worse one',
};

/** What to do, by the verdict. */
export const decisions: Record<ReportMetric['verdict'], string> = {
  worse: 'Keep the recorded version: the candidate is worse',
  better: 'Take the candidate: it is better',
  'no evidence': 'The candidate can be taken: it is not worse by an amount that matters',
  inconclusive: 'Not decided: these runs are too few to tell',
};

/** How sure a difference is, in words, with the change for the worse that it leaves open. */
export function toCertainty(metric: ReportMetric): string {
  const { name, difference, margin, verdict } = metric;
  const { low, high } = difference;
  const size = toSizeText(name, margin);
  const range =
    low === null || high === null
      ? 'There are too few conversations to tell it from chance.'
      : low === high
        ? `Exactly ${toSide(name, low)} in all runs.`
        : `Between ${toSide(name, low)} and ${toSide(name, high)}, with a certainty of 95 %.`;
  const meaning = {
    worse: 'Worse by more than chance.',
    better: 'Better by more than chance.',
    'no evidence': `A change for the worse of more than ${size} is excluded.`,
    inconclusive: `A change for the worse of more than ${size} is possible.`,
  }[verdict];
  return `${range} ${meaning}`;
}

function toSide(name: string, value: number): string {
  if (value === 0) return 'no change';
  return `${toSizeText(name, value)} ${value < 0 ? 'lower' : 'higher'}`;
}

/** How the candidate did in a case, against the baseline; without one, against the recorded run. */
type Change = 'not run' | 'worse' | 'better' | 'changed' | 'same';

/** Returns how the candidate did in a case. */
export function toChange({ lanes, changed }: Pick<ReportCase, 'lanes' | 'changed'>): Change {
  const { candidate, baseline } = lanes;
  if (!candidate || candidate.error) return 'not run';
  const toRate = ({ repeats }: typeof candidate) => repeats.passed / Math.max(1, repeats.runs);
  const before = baseline && !baseline.error ? toRate(baseline) : 1;
  const after = toRate(candidate);
  if (after !== before) return after < before ? 'worse' : 'better';
  return changed ? 'changed' : 'same';
}

/** The tones of what a candidate did in a case. */
export const changeTones: Record<Change, Tone> = {
  'not run': 'bad',
  worse: 'bad',
  better: 'good',
  changed: 'off',
  same: 'off',
};

const answers: Record<string, string> = {
  exact: 'the recorded answer',
  nearest: 'the recorded answer to a similar call',
  stored: 'a stored result',
  stub: 'a stub',
  live: 'a real call',
  blocked: 'a rule, which blocked it',
  refused: 'a refusal: its arguments or its tool do not fit',
  missed: 'nothing: there is no recorded answer',
};

/** Where a replayed call got its answer from, in words. */
export function toAnswerText(answeredBy: string): string {
  return answers[answeredBy] ?? answeredBy;
}
