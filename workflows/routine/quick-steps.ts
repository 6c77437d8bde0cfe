import { ActivityFailure, CancellationScope, condition, patched } from '@temporalio/workflow';
import type {
  EvaluateInput,
  EvaluateResult,
  QuickAttempt,
  ValidateInput,
} from '../contract/routine-steps.ts';
import { createQuickSteps } from '../activities.ts';
import { keepBusy, type RoutineControl } from './control.ts';

/** The time of one attempt inside a workflow task, in milliseconds: timers and messages wait for the end of the task. */
const withinMs = 200;

/** The time that attempts have until a regular activity ends their workflow task, in milliseconds. */
const attemptsMs = 500;

/** The time that each attempt takes besides that of its activity, in milliseconds. */
const attemptCostMs = 2;

/** The ways to run a step. */
interface QuickWays<Result> {
  local: () => Promise<QuickAttempt<Result>>;
  regular: () => Promise<Result>;
  former: () => Promise<Result>;
}

/** Evaluates expressions and checks values for a run. */
export function createQuickGround(control: RoutineControl) {
  const { local, regular, former } = createQuickSteps();
  const run = createQuickRunner(control);
  return {
    evaluate: (input: EvaluateInput): Promise<EvaluateResult> =>
      run({
        local: () => local.tryExpressions({ ...input, withinMs }),
        regular: () => regular.evaluateExpressions(input),
        former: () => former.evaluateExpressions(input),
      }),
    validate: (input: ValidateInput): Promise<string | null> =>
      run({
        local: () => local.tryValidation({ ...input, withinMs }),
        regular: () => regular.validateValue(input),
        former: () => former.validateValue(input),
      }),
  };
}

/**
 * Builds the runner of steps without effects. A local activity is the fast way to run one, but its result reaches a replay
 * in another activation than it reached the run: together with the results of other local activities, or with events that
 * came before it. So a step is a local activity only where this makes no difference, and a regular one everywhere else:
 * - no branches run beside it, and no other local activity.
 * - it is never cancelled. A cancellation that meets the result of a local activity breaks the workflow task
 *   (https://github.com/temporalio/sdk-rust/issues/705). The caller is cancelled, and the result is ignored.
 * - its result is used after everything else that the activation causes.
 * - the decision goes by nothing but results: the time and the length of the history differ in a replay.
 */
function createQuickRunner(control: RoutineControl) {
  let leftMs = attemptsMs;
  /** False from the start of an attempt until its caller has the result, so for good when the caller was cancelled. */
  let isFree = true;

  async function attempt<Result>(local: QuickWays<Result>['local']): Promise<QuickAttempt<Result>> {
    const { cancelRequested } = CancellationScope.current();
    isFree = false;
    const running = CancellationScope.nonCancellable(() => keepBusy(control, () => runLocally(local)));
    const result = await Promise.race([cancelRequested, running]);
    isFree = true;
    leftMs -= result.tookMs + attemptCostMs;
    return result;
  }

  return <Result>(ways: QuickWays<Result>): Promise<Result> =>
    keepBusy(control, async () => {
      if (!patched('quick-steps-alone')) return ways.former();
      if (
        control.branches === 0 &&
        isFree &&
        leftMs > 0 &&
        !CancellationScope.current().consideredCancelled
      ) {
        const { answer } = await attempt(ways.local);
        if (answer !== undefined) return answer;
      }
      const answer = await ways.regular();
      leftMs = attemptsMs;
      return answer;
    });
}

/** Runs a local attempt. One that failed has no answer: the regular activity is retried, and the Web UI shows its failures. */
async function runLocally<Result>(local: () => Promise<QuickAttempt<Result>>): Promise<QuickAttempt<Result>> {
  const result = await local().catch((error: unknown) => {
    if (error instanceof ActivityFailure) return { tookMs: withinMs };
    throw error;
  });
  await comeLast();
  return result;
}

/** Waits until everything else that the activation causes has come to rest: conditions are tested only then. */
async function comeLast(): Promise<void> {
  let isLast = false;
  void Promise.resolve().then(() => {
    isLast = true;
  });
  await condition(() => isLast);
}
