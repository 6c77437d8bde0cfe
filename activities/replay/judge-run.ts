import { createHash } from 'node:crypto';
import { HoldfastError } from '../../src/domain/errors.ts';
import type { ModelCall } from '../../src/domain/model.ts';
import { toModelCostUsd } from '../../src/domain/price-table.ts';
import type { Judged, ReplayInput, ReplayRun } from '../../src/domain/replay.ts';
import { addUsage } from '../../src/domain/usage.ts';
import {
  parseJudgeAnswer,
  toJudgeQuestion,
  toPromptHash,
  type JudgeAnswer,
} from '../../src/modules/replays/compare/judge-prompt.ts';
import type { ReplayServices } from './replay-services.ts';
import { callPatiently } from './ask-model.ts';

interface RunToJudge {
  workspaceId: string;
  judge: NonNullable<ReplayInput['judge']>;
  prices: ReplayInput['prices'];
  original: ReplayRun;
  run: ReplayRun;
  /** Keys of the model calls are made from it. */
  key: string;
  signal: AbortSignal;
}

/**
 * Asks a model which of two runs is better, once in each order. When the two verdicts disagree, the judge has chosen the
 * position and not the answer, which counts as a tie.
 * @throws HoldfastError of the model when it does not answer, or not as it was asked
 */
export async function judgeRun(services: ReplayServices, asked: RunToJudge): Promise<Judged> {
  const { judge, original, run, prices } = asked;
  const [one, other] = await Promise.all([
    askOnce(services, asked, { order: 'recorded first', first: original, second: run }),
    askOnce(services, asked, { order: 'recorded second', first: run, second: original }),
  ]);
  const verdict = toVerdict(one, 'B');
  const swapped = toVerdict(other, 'A');
  const usage = addUsage(one.usage, other.usage);
  return {
    verdict: verdict === swapped ? verdict : 'tie',
    flipped: verdict !== swapped,
    reasons: [one.reason, other.reason],
    promptHash: toPromptHash(judge.rubric),
    usage,
    costUsd: toModelCostUsd(judge, usage, prices),
  };
}

/** The verdict about the run that was shown under a name. */
function toVerdict({ winner }: JudgeAnswer, shownAs: 'A' | 'B'): Judged['verdict'] {
  if (winner === 'tie') return 'tie';
  return winner === shownAs ? 'better' : 'worse';
}

async function askOnce(
  services: ReplayServices,
  { workspaceId, judge, key, signal }: RunToJudge,
  { order, ...runs }: { order: string; first: ReplayRun; second: ReplayRun },
) {
  const connectionId = judge.modelConnectionId ?? null;
  const call: ModelCall = {
    ...toJudgeQuestion(judge.rubric, runs),
    ...{ model: judge.model, tools: [], toolChoice: 'none', temperature: 0, signal },
    ...(connectionId === null ? {} : { connection: { workspaceId, connectionId } }),
    idempotencyKey: createHash('sha256').update(`${key}\njudge\n${order}`).digest('hex'),
    onTextDelta: () => undefined,
  };
  const { text, usage } = (await callPatiently(services, call)).answer;
  const answer = parseJudgeAnswer(text);
  if (!answer)
    throw new HoldfastError('MODEL_BAD_RESPONSE', `The judge did not answer as asked: ${text.slice(0, 200)}`);
  return { ...answer, usage };
}
