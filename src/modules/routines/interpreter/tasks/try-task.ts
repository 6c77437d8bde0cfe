import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/json.ts';
import { toRoutineMs } from '../../routine-document-contract.ts';
import { RoutineError, toErrorType, toProblemJson } from '../../../../domain/routine-error.ts';
import { evaluate } from '../expressions.ts';
import {
  findComponent,
  isTrue,
  objectOf,
  partOf,
  type Interpretation,
  type TaskResult,
  type TaskScope,
} from '../interpretation.ts';

/** The pause before a task is tried again when the policy names none, in milliseconds. */
const defaultDelayMs = 1_000;

/**
 * Runs tasks, tries them again after the errors that the policy names, and then runs the tasks of the handler. An error that
 * is left after the last attempt, without tasks that handle it, is raised again.
 */
export async function runTryTask(
  routine: Interpretation,
  scope: TaskScope,
  state: JsonObject,
): Promise<TaskResult> {
  const caught = objectOf(scope.task.definition.catch);
  while (!isJsonObject(state.error)) {
    if (typeof state.until === 'number') {
      routine.steps.waits(scope.step, new Date(state.until).toISOString());
      await routine.ground.sleepUntil(state.until);
      routine.steps.waits(scope.step, null);
      delete state.until;
    }
    try {
      return await runTasks(routine, scope, { name: 'try', state });
    } catch (error) {
      if (!(error instanceof RoutineError)) throw error;
      const problem = toProblemJson(error.problem);
      if (!(await isCaught(routine, scope, problem))) throw error;
      const retryAt = await findRetry(routine, scope, { problem, state });
      delete state.try;
      if (retryAt !== null) state.until = retryAt;
      else if (caught.retry !== undefined && caught.do === undefined) throw error;
      else state.error = problem;
    }
  }
  if (caught.do === undefined) return { output: scope.input };
  const named = { ...scope.variables, [nameOf(caught)]: state.error };
  return runTasks(routine, { ...scope, variables: named }, { name: 'catch', state });
}

function nameOf(caught: JsonObject): string {
  return typeof caught.as === 'string' ? caught.as : 'error';
}

async function runTasks(
  routine: Interpretation,
  { task, input, variables }: TaskScope,
  { name, state }: { name: 'try' | 'catch'; state: JsonObject },
): Promise<TaskResult> {
  const { definition, path } = task;
  const part =
    name === 'try'
      ? { list: definition.try, path: `${path}/try` }
      : { list: objectOf(definition.catch).do, path: `${path}/catch/do` };
  const run = { ...part, input, variables, state: partOf(state, name) };
  const { output, ends } = await routine.runList(routine, run);
  return { output, ...(ends ? { then: 'end' } : {}) };
}

async function isCaught(routine: Interpretation, scope: TaskScope, problem: JsonObject): Promise<boolean> {
  const caught = objectOf(scope.task.definition.catch);
  if (!fitsFilter(objectOf(objectOf(caught.errors).with), problem)) return false;
  return holds(routine, caught, { scope, problem });
}

/** Whether an error has all fields of a filter. The standard calls `detail` of an error `details` in filters. */
function fitsFilter({ type, details, ...fields }: JsonObject, problem: JsonObject): boolean {
  if (type !== undefined && toErrorType(type) !== toErrorType(problem.type)) return false;
  if (details !== undefined && details !== problem.detail) return false;
  return Object.entries(fields).every(([field, value]) => problem[field] === value);
}

/** Whether the conditions `when` and `exceptWhen` of a handler or a policy hold. */
async function holds(
  routine: Interpretation,
  { when, exceptWhen }: JsonObject,
  { scope, problem }: { scope: TaskScope; problem: JsonObject },
): Promise<boolean> {
  const more = { [nameOf(objectOf(scope.task.definition.catch))]: problem };
  const ask = (condition: string) => evaluate(routine, condition, { scope, more });
  if (typeof when === 'string' && !isTrue(await ask(when))) return false;
  return typeof exceptWhen !== 'string' || !isTrue(await ask(exceptWhen));
}

/** Returns when the tasks are tried again, in epoch milliseconds; null when they are not. */
async function findRetry(
  routine: Interpretation,
  scope: TaskScope,
  { problem, state }: { problem: JsonObject; state: JsonObject },
): Promise<number | null> {
  const { retry } = objectOf(scope.task.definition.catch);
  const policy = typeof retry === 'string' ? findComponent(routine.document, 'retries', retry) : retry;
  if (!isJsonObject(policy) || !(await holds(routine, policy, { scope, problem }))) return null;
  const attempts = typeof state.attempts === 'number' ? state.attempts : 0;
  const { attempt, duration } = objectOf(policy.limit);
  const { count, duration: attemptsTime } = objectOf(attempt);
  if (typeof count === 'number' && attempts >= count) return null;
  const at = routine.ground.now() + toDelayMs(routine, policy, attempts);
  const limitMs = Math.min(toRoutineMs(duration) ?? Infinity, toRoutineMs(attemptsTime) ?? Infinity);
  if (at > scope.startedAt + limitMs) return null;
  state.attempts = attempts + 1;
  return at;
}

function toDelayMs({ ground }: Interpretation, policy: JsonObject, attempts: number): number {
  const delayMs = toRoutineMs(policy.delay) ?? defaultDelayMs;
  const backoff = objectOf(policy.backoff);
  const { from, to } = objectOf(policy.jitter);
  const [least, most] = [toRoutineMs(from) ?? 0, toRoutineMs(to) ?? 0];
  return delayMs * toFactor(backoff, attempts) + least + ground.random() * Math.max(0, most - least);
}

function toFactor(backoff: Record<string, JsonValue>, attempts: number): number {
  if (backoff.exponential !== undefined) return 2 ** Math.min(attempts, 30);
  return backoff.linear === undefined ? 1 : attempts + 1;
}
