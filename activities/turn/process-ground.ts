import type { Context } from '@temporalio/activity';
import { HoldfastError } from '../../src/domain/errors.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { modelMaximumAttempts, toolMaximumAttempts } from '../../src/contract/retry-limits.ts';
import { endsTurn, type TurnGround, type TurnWatch } from '../../src/contract/turn-loop.ts';
import type {
  CallModelInput,
  CallModelResult,
  ExecuteToolCallInput,
  ExecuteToolCallResult,
  RunTurnInput,
  SummarizeContextInput,
} from '../../src/contract/turn-steps.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { answerIteration } from '../model/answer-iteration.ts';
import type { ContextCache } from '../model/context-cache.ts';
import { summarizeContext } from '../model/summarize-context.ts';
import type { SteeringNotices } from '../model/steering-notices.ts';
import { StepStopped } from '../../src/platform/activity/failures.ts';
import { runAttempts, type StepRun } from '../run-step.ts';
import { runToolCall } from '../tool/tool-call.ts';
import type { TurnHold } from '../turn-hold.ts';
import type { TurnMemory } from './turn-memory.ts';

interface ProcessOptions {
  input: RunTurnInput;
  context: Context;
  signal: AbortSignal;
  /** Stops all steps of this process, since another one has taken the turn. */
  lose: () => void;
  hold: TurnHold;
  contexts: ContextCache;
  notices: SteeringNotices;
  memory: TurnMemory;
  watch: TurnWatch;
  /** Returns whether the rest of the turn runs elsewhere from its next model call on. */
  isHandedOver: () => boolean;
}

/**
 * Creates the ground of a turn whose steps all run in this process. An answer is stored together with the claims of its
 * calls, and a model call after it reads nothing, since the turn is known from what was stored.
 */
export function createProcessGround(dependencies: StepDependencies, options: ProcessOptions): TurnGround {
  const { input, watch, isHandedOver } = options;
  const steps = createProcessSteps(dependencies, options);
  const { activityTimeoutMs, maxIterations } = input.limits;
  return {
    maxIterations,
    callModel: (iteration, tools, apart) =>
      steps.callModel({ ...input, iteration, tools, timeoutMs: activityTimeoutMs, ...apart }),
    summarizeContext: (iteration) =>
      steps.summarizeContext({ ...input, iteration, timeoutMs: activityTimeoutMs }),
    runToolCall: (iteration, { index, timeoutMs }) =>
      steps.executeToolCall({ ...input, iteration, index, timeoutMs }),
    // Between an answer and its calls the turn stays here, since the calls are claimed by this process.
    leaves: (calls) => (calls ? calls.some(({ startsChild }) => startsChild) : isHandedOver()),
    // A call that was cut off since the turn continues elsewhere has no end.
    isStop: (error) => options.signal.aborted || !(error instanceof HoldfastError) || endsTurn(error),
    watch,
  };
}

function createProcessSteps(dependencies: StepDependencies, options: ProcessOptions) {
  const { input, contexts, notices, memory } = options;
  const claims = createClaimNames();
  const run = toSharedRun(options);
  const shared = { ...input, run, pipelined: dependencies.pipelined, wakeups: dependencies.wakeups };

  /** Stops the other steps of the process too when one of them finds that the turn is lost. */
  async function watchLoss<Result>(step: Promise<Result>): Promise<Result> {
    return step.catch((error: unknown) => {
      if (error instanceof StepStopped && error.reason === 'lost') options.lose();
      throw error;
    });
  }

  async function attemptModel(call: CallModelInput, attempt: StepRun): Promise<CallModelResult> {
    const known = memory.find(call.iteration);
    memory.forget();
    const claimId = claims.nameOf(call.iteration);
    const place = { input: call, run: attempt, notices, contexts };
    const answered = await answerIteration(dependencies, { ...place, known, claimId });
    memory.answered(answered);
    return answered.result;
  }

  async function attemptTool(call: ExecuteToolCallInput, attempt: StepRun): Promise<ExecuteToolCallResult> {
    const isFirst = attempt.attempt === 1;
    const ended = await runToolCall(dependencies, {
      ...{ input: call, run: attempt },
      claimed: isFirst ? memory.takeClaimed(call.iteration, call.index) : undefined,
      claimId: isFirst ? claims.nameOf(call.iteration) : undefined,
    });
    if (ended.stored) memory.ended(call.index, ended.stored);
    return ended.result;
  }

  return {
    callModel: (call: CallModelInput) =>
      runAttempts(
        {
          ...shared,
          iteration: call.iteration,
          what: 'the model was answering',
          maximumAttempts: modelMaximumAttempts,
        },
        (attempt) => watchLoss(attemptModel(call, attempt)),
      ),
    summarizeContext: (call: SummarizeContextInput) =>
      runAttempts(
        {
          ...shared,
          iteration: call.iteration,
          what: 'the conversation was summarized',
          maximumAttempts: modelMaximumAttempts,
        },
        (attempt) => watchLoss(summarizeContext(dependencies, { input: call, run: attempt })),
      ),
    executeToolCall: ({ iteration, index, ...call }: ExecuteToolCallInput) =>
      runAttempts(
        { ...shared, iteration, index, what: 'a tool was running', maximumAttempts: toolMaximumAttempts },
        (attempt) => watchLoss(attemptTool({ ...call, iteration, index }, attempt)),
      ),
  };
}

/**
 * Names the claim with which the calls of an iteration are stored. The name stays the same for this process, so that it
 * finds its own claims when the answer of the database was lost.
 */
function createClaimNames() {
  const names = new Map<number, string>();
  return {
    nameOf: (iteration: number): string => {
      const name = names.get(iteration) ?? newId();
      names.set(iteration, name);
      return name;
    },
  };
}

/** The part before the activity, in which the turn had no workflow, has the number 0 among the attempts. */
function toSharedRun({ context, signal, hold }: ProcessOptions): Omit<StepRun, 'attempt'> {
  const attemptsBefore = context.info.attempt * modelMaximumAttempts;
  return { attemptsBefore, signal, hold, heartbeat: (detail) => context.heartbeat(detail) };
}
