import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/json.ts';
import { toRoutineMs, toTasks } from '../../routine-document-contract.ts';
import { createRoutineError, RoutineError, toProblem } from '../../../../domain/routine-error.ts';
import { evaluate, fillTemplate } from '../expressions.ts';
import {
  findComponent,
  isTrue,
  objectOf,
  type Interpretation,
  type TaskResult,
  type TaskScope,
} from '../interpretation.ts';

/** Answers new data. */
export async function runSetTask(routine: Interpretation, scope: TaskScope): Promise<TaskResult> {
  return { output: await fillTemplate(routine, scope.task.definition.set ?? null, { scope }) };
}

/** Raises an error of the document. @throws RoutineError */
export async function runRaiseTask(routine: Interpretation, scope: TaskScope): Promise<never> {
  const { error } = objectOf(scope.task.definition.raise);
  const defined = typeof error === 'string' ? findComponent(routine.document, 'errors', error) : error;
  const filled = await fillTemplate(routine, defined ?? null, { scope });
  throw new RoutineError({ instance: scope.task.path, ...toProblem(filled) });
}

/** Waits. `state` keeps the time until which. */
export async function runWaitTask(
  { ground, steps }: Interpretation,
  { task, input, step }: TaskScope,
  state: JsonObject,
): Promise<TaskResult> {
  const waitMs = toRoutineMs(task.definition.wait);
  if (waitMs === null) throw createRoutineError('configuration', 'the duration cannot be read');
  const until = typeof state.until === 'number' ? state.until : ground.now() + waitMs;
  state.until = until;
  steps.waits(step, new Date(until).toISOString());
  await ground.sleepUntil(until);
  return { output: input };
}

/** Chooses where to continue: the first case that matches, or the one without a condition. */
export async function runSwitchTask(routine: Interpretation, scope: TaskScope): Promise<TaskResult> {
  const cases = toTasks(scope.task.definition.switch).map(({ definition }) => definition);
  for (const { when, then } of cases) {
    if (typeof when === 'string' && isTrue(await evaluate(routine, when, { scope })))
      return { output: scope.input, then: toDirective(then) };
  }
  const other = cases.find((one) => isJsonObject(one) && one.when === undefined);
  return { output: scope.input, then: toDirective(other?.then) };
}

function toDirective(then: JsonValue | undefined): string | undefined {
  return typeof then === 'string' ? then : undefined;
}
