import type { AgentVersion } from '../../src/domain/agent.ts';
import { estimateTokens, toContextBudget, toModelThreshold } from '../../src/domain/context-budget.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import { findModelFacts } from '../../src/domain/known-models.ts';
import { toSummaryMessage, withReferences } from '../../src/domain/model-context.ts';
import { leaveOut, summaryShare, type CompactionPlan } from '../../src/domain/plan-compaction.ts';
import { takePiece } from '../../src/modules/turns/context/summary-piece.ts';
import { toSummaryInstructions, toSummaryRequest } from '../../src/modules/turns/context/summary-prompt.ts';
import { toPreview } from '../../src/domain/text.ts';
import { findTokenRatio } from '../../src/domain/token-estimate.ts';
import { addUsage, noUsage } from '../../src/domain/usage.ts';
import type { SummarizeContextInput, SummarizeContextResult } from '../../src/contract/turn-steps.ts';
import type { ModelPort } from '../step-dependencies.ts';
import { StepStopped } from '../../src/platform/activity/failures.ts';
import { noteTaken, takeTurn, type TurnHold } from '../turn-hold.ts';
import { runStep } from '../run-step.ts';
import type { StepRun } from '../run-step.ts';
import { leaveOutOldest, planFor, storeCompaction } from './fit-context.ts';
import { withTaken, type ModelStep } from './read-model-step.ts';
import { readTurnVersion } from './read-turn-version.ts';
import { toSummaryVersion, writeSummary } from './write-summary.ts';

/** The part of the time that a turn has left which all pieces of a summary together may take, and the least of it. */
const timeShare = 0.5;
const leastTimeMs = 1_000;

/** The most tokens of a summary, and the most of the conversation that it is made from at once. */
const mostSummaryTokens = 4_000;
const mostPieceTokens = 100_000;

/** The least bytes of the conversation that a summary is made from at once: no model is so small that it takes less. */
const leastPieceBytes = 8_000;

/** The characters of a token, at most, in a summary that is longer than was asked for. */
const charactersPerToken = 8;

/** Summarizes the oldest turns of a conversation before a model call whose context has become too long. */
export function createSummarizeContext(dependencies: ModelPort) {
  const { pipelined, wakeups } = dependencies;

  return (asked: SummarizeContextInput): Promise<SummarizeContextResult> =>
    runStep(asked, { pipelined, wakeups, what: 'the conversation was summarized' }, (input, run) =>
      summarizeContext(dependencies, { input, run }),
    );
}

type PlannedSummary = ReturnType<typeof planFor>;

interface SummarizeOptions {
  input: SummarizeContextInput;
  run: Pick<StepRun, 'signal' | 'hold'>;
}

/**
 * Summarizes the oldest turns, in as many pieces as the model needs. Each piece is stored with the summary so far, so that
 * another attempt continues after it. Where no model writes a summary the turns are left out, so that the turn continues.
 * @throws HoldfastError `BUDGET_EXCEEDED`, `PRICE_UNKNOWN`
 */
export async function summarizeContext(
  dependencies: ModelPort,
  options: SummarizeOptions,
): Promise<SummarizeContextResult> {
  const { input, run } = options;
  const result: SummarizeContextResult = { summaries: 0, usage: noUsage, textPreview: '' };
  const endsAt = Date.now() + Math.max(leastTimeMs, (input.deadlineAt - Date.now()) * timeShare);
  let target: PlannedSummary = null;
  for (;;) {
    run.signal.throwIfAborted();
    const whole = await readWhole(dependencies, input, run.hold);
    const { version } = await readTurnVersion(dependencies, input.workspaceId, whole.step);
    const { step } = whole;
    const read = { ...whole, context: withReferences(whole.context, step.start.referencesThrough) };
    // After its first piece a context may fit again; the others follow, so that it grows for many turns before the next one.
    const isLate = result.summaries > 0 && Date.now() >= endsAt;
    const isAhead: boolean = target !== null && !isLate && target.throughOrdinal > step.start.throughOrdinal;
    const plan: PlannedSummary = step.stored ? null : isAhead ? target : planFor(read, version);
    if (!plan?.summarizes) return result;
    target = plan;
    const planned = { ...options, version, plan, endsAt };
    try {
      if (isLate) throw outOfTime;
      const summary = await storePiece(dependencies, { ...planned, whole, read });
      result.summaries += 1;
      result.usage = addUsage(result.usage, summary.usage);
      result.textPreview = toPreview(summary.text, 500);
    } catch (error) {
      run.signal.throwIfAborted();
      if (!isOfModel(error)) throw error;
      const { code, message } = error;
      await leaveOutOldest(dependencies, { input, read, version, plan, error: { code, message } });
      return { ...result, error: { code, message } };
    }
  }
}

const outOfTime = new HoldfastError('MODEL_UNAVAILABLE', 'The time for summaries is over.');

/**
 * Errors of the database, and of attempts that were overtaken, are no reason to leave something out. A budget ends the turn, as
 * at every other call that it does not allow: turns that were left out would stay so when there is credit again.
 */
const noReasons = new Set<string>(['SERVICE_UNAVAILABLE', 'INTERNAL', 'BUDGET_EXCEEDED', 'PRICE_UNKNOWN']);

function isOfModel(error: unknown): error is HoldfastError {
  return error instanceof HoldfastError && !noReasons.has(error.code);
}

/**
 * Reads the conversation with the results of old turns, which are part of their summary.
 * @throws HoldfastError `TURN_SETTLED`, `NOT_FOUND`; StepStopped `cancelled`, `lost`
 */
async function readWhole(
  { pipelined }: ModelPort,
  { workspaceId, turnId, iteration }: SummarizeContextInput,
  hold: TurnHold | undefined,
): Promise<ModelStep> {
  const [, step, context, taken] = await pipelined(workspaceId, (repositories) =>
    Promise.all([
      takeTurn(repositories, turnId, hold),
      repositories.context.findStep(turnId, iteration),
      repositories.context.listContext(turnId, { iteration, keepsResults: true }),
      repositories.steering.listTaken(turnId),
    ]),
  );
  if (!step) throw new HoldfastError('NOT_FOUND', `There is no turn ${turnId}.`);
  noteTaken(hold, step);
  if (step.cancelRequested) throw new StepStopped('cancelled');
  if (step.status !== 'running' && !step.stored) {
    throw new HoldfastError('TURN_SETTLED', `The turn is ${step.status} already.`);
  }
  return {
    step,
    context: withTaken([...toSummaryMessage(step.start), ...context], { taken, iteration }),
    taken,
  };
}

interface PieceOptions extends SummarizeOptions {
  version: AgentVersion;
  plan: CompactionPlan;
  /** The end of the time for all pieces, in epoch milliseconds. */
  endsAt: number;
  /** The context with the results of old turns, and as the model sees it. */
  whole: ModelStep;
  read: ModelStep;
}

async function storePiece(dependencies: ModelPort, options: PieceOptions) {
  const { input, run, version, plan, endsAt, whole, read } = options;
  const { step } = read;
  const { start } = step;
  const room = toContextBudget(version, step.tokenRatios);
  const tokens = Math.round(Math.min(mostSummaryTokens, room.tokens * summaryShare));
  const instructions = toSummaryInstructions(tokens);
  const used = Buffer.byteLength(instructions) + Buffer.byteLength(start.summary ?? '');
  const maxBytes = Math.max(leastPieceBytes, toPieceBytes(version, step.tokenRatios) - used);
  const piece = takePiece(whole.context, { start, throughOrdinal: plan.throughOrdinal, maxBytes });
  const number = start.made + 1;
  const summary = await writeSummary(dependencies, {
    ...{ input, step, version, instructions, number, signal: run.signal },
    text: toSummaryRequest(start.summary, piece.text),
    timeoutMs: Math.max(leastTimeMs, endsAt - Date.now()),
    maxCharacters: tokens * charactersPerToken,
  });
  const { throughOrdinal, throughOffset } = piece;
  const isLast = throughOrdinal === plan.throughOrdinal;
  const referencesThrough = isLast ? plan.referencesThrough : start.referencesThrough;
  const next = { throughOrdinal, throughOffset, referencesThrough, summaryId: summary.messageId };
  const kept = leaveOut(read.context, throughOrdinal).filter(({ role }) => role !== 'summary');
  const shown = [...toSummaryMessage({ ...start, ...next, summary: summary.text }), ...kept];
  await storeCompaction(dependencies, input, {
    ...{ turnId: input.turnId, iteration: input.iteration, number, kind: 'summarize', start: next, summary },
    heldBy: step.heldBy,
    fromOrdinal: start.throughOrdinal + 1,
    tokensBefore: plan.tokensBefore,
    tokensAfter: estimateTokens(withReferences(shown, referencesThrough), room),
    references: isLast ? plan.references : 0,
    error: null,
  });
  return summary;
}

/** Any of the models may be asked, so that the smallest of them decides. A tokenizer may count more than the estimate. */
function toPieceBytes(version: AgentVersion, ratios: ModelStep['step']['tokenRatios']): number {
  const { model, fallbackModels } = toSummaryVersion(version);
  const bytes = [model, ...fallbackModels.map((one) => one.model)].map((one) => {
    const tokensPerByte = Math.max(0.25, findTokenRatio(ratios, one));
    // The facts of a model that is not in the list are unknown: the agent's threshold limits its requests.
    const threshold = findModelFacts(one) ? null : version.compactionThreshold;
    const most = Math.min(mostPieceTokens, toModelThreshold(one), threshold ?? Infinity);
    return (most * 0.8) / tokensPerByte;
  });
  return Math.min(...bytes);
}
