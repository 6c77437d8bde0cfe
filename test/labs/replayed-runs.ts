import type { EndedRun } from '../../src/modules/replays/replay-case-repository.ts';
import {
  replayInputSchema,
  type Comparison,
  type JudgeVerdict,
  type Lane,
  type Replay,
  type ReplayRun,
} from '../../src/domain/replay.ts';
import type { ReplaySummary } from '../../src/domain/replay-report.ts';
import type {
  InReplays,
  ReplayRepositories,
} from '../../src/modules/replays/report/create-replay-summary.ts';
import { compareRuns } from '../../src/modules/replays/compare/compare-runs.ts';

/** The run of one turn: its tool calls by their queries, and its answer. */
interface Did {
  queries?: string[];
  answer?: string;
  message?: string;
  outcome?: ReplayRun['turns'][number]['outcome'];
  costUsd?: number | null;
  durationMs?: number;
  /** The verdict of the judge; flipped for one that contradicted itself. */
  judged?: JudgeVerdict | 'flipped';
  /** Whether its calls are refused. */
  refused?: boolean;
}

/** A case of a replay of turns; null for a candidate that could not be run. */
export interface PlayedCase {
  original: Did;
  baseline?: Did;
  candidate: Did | null;
}

const usage = {
  inputTokens: 900,
  cacheReadTokens: 100,
  cacheWriteTokens: 0,
  outputTokens: 50,
  reasoningTokens: 0,
};

function toRun(position: number, lane: Lane, did: Did): ReplayRun {
  const { queries = ['a'], answer = 'Done.', outcome = 'completed', costUsd = 0.002, durationMs = 800 } = did;
  const steps = queries.map((query, index) => ({
    iteration: index,
    text: '',
    calls: [
      {
        name: query.startsWith('mail') ? 'send_mail' : 'look_up',
        arguments: { query },
        ...{ recordedCallId: null, rule: null },
        ...(did.refused
          ? {
              answeredBy: 'refused' as const,
              status: 'failed' as const,
              result: 'UNKNOWN_TOOL: There is no such tool.',
            }
          : {
              answeredBy: lane === 'original' ? null : ('exact' as const),
              ...{ status: 'succeeded' as const, result: `found ${query}` },
            }),
      },
    ],
  }));
  const turn = {
    ...{
      turnId: `turn-${position}`,
      message: did.message ?? `Message ${position}`,
      outcome,
      answer,
      error: null,
    },
    ...{ steps: [...steps, { iteration: steps.length, text: answer, calls: [] }], unasked: [] },
    ...{ usage, costUsd, durationMs },
  };
  return { turns: [turn] };
}

const outside = { connectionsOpened: 0, credentialsDecrypted: 0 };
const error = { code: 'MODEL_UNAVAILABLE' as const, message: 'The model did not answer.' };

/** Comparisons by what both runs did: the same objects in many cases are compared once. */
const comparisons = new WeakMap<Did, WeakMap<Did, Comparison>>();

/** Compares a run with the recorded one; both stand at the same position, which the comparison does not show. */
function toComparison(original: Did, did: Did, compare: () => Comparison): Comparison {
  const known = comparisons.get(original) ?? new WeakMap<Did, Comparison>();
  const comparison = known.get(did) ?? compare();
  comparisons.set(original, known.set(did, comparison));
  return withVerdict(comparison, did.judged);
}

/** The runs of a case, as they are stored. */
function toEndedRuns({ original, baseline, candidate }: PlayedCase, position: number): EndedRun[] {
  const recorded = toRun(position, 'original', original);
  const toEnded = (lane: Lane, run: ReplayRun | null, did: Did | null): EndedRun => ({
    ...{ position, lane, repeat: 1, conversationId: `conversation-${position}`, run, outside },
    comparison:
      run && did && lane !== 'original'
        ? toComparison(original, did, () =>
            compareRuns(recorded, run, { trajectories: ['exact', 'unordered'], answer: 'any' }),
          )
        : null,
    error: run ? null : error,
  });
  const baselineDid = baseline ?? original;
  return [
    toEnded('original', recorded, original),
    toEnded('baseline', toRun(position, 'baseline', { ...original, ...baseline }), baselineDid),
    toEnded('candidate', candidate && toRun(position, 'candidate', { ...original, ...candidate }), candidate),
  ];
}

function withVerdict(comparison: Comparison, judged: Did['judged']): Comparison {
  if (judged === undefined) return comparison;
  const verdict = judged === 'flipped' ? 'tie' : judged;
  const score = { better: 1, tie: 0.5, worse: 0 }[verdict];
  return {
    ...comparison,
    scores: { ...comparison.scores, judge: score },
    judged: {
      ...{ verdict, flipped: judged === 'flipped', reasons: ['It is shorter.', 'It <b>says</b> more.'] },
      ...{ promptHash: '0123456789abcdef', usage, costUsd: 0.001 },
    },
  };
}

/** A replay that has these cases. */
export function createPlayedReplay(
  cases: PlayedCase[],
  { summary = null, ...changes }: Partial<Replay> & { summary?: ReplaySummary | null } = {},
): InReplays {
  const replay: Replay = {
    ...{ id: '019ab000-0000-7000-8000-000000000001', name: 'A <b>shorter</b> prompt', status: 'completed' },
    input: replayInputSchema.parse({ selection: {}, candidate: { instructions: 'Be brief.' } }),
    ...{ cases: cases.length, runs: { total: 2 * cases.length, done: 2 * cases.length, failed: 0 } },
    ...{ spent: { tokens: 1000, costUsd: 0.1 }, startedBy: null, error: null },
    ...{ createdAt: '2026-11-01T10:00:00.000Z', settledAt: '2026-11-01T10:05:00.000Z' },
    ...changes,
  };
  const repositories = {
    replays: { getReplay: () => Promise.resolve(replay), findSummary: () => Promise.resolve(summary) },
    replayCases: {
      listRuns: (_: string, from: number, to: number) =>
        Promise.resolve(cases.slice(from, to).flatMap((one, index) => toEndedRuns(one, from + index))),
    },
  } as unknown as ReplayRepositories;
  return (run) => run(repositories);
}
