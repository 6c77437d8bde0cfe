import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { toTaskKind, toTasks, type TaskKind } from '../routine-document-contract.ts';
import { createRoutineError, RoutineError, toProblemJson } from '../../../domain/routine-error.ts';
import { evaluate, fillTemplate } from './expressions.ts';
import { findTimeoutMs } from './find-timeout.ts';
import { RoutineLimitReached } from './ground.ts';
import {
  isTrue,
  objectOf,
  partOf,
  type Interpretation,
  type ListToRun,
  type TaskResult,
  type TaskScope,
  type TaskToRun,
} from './interpretation.ts';
import { runCallTask } from './tasks/call-task.ts';
import { runDoTask, runForkTask, runForTask } from './tasks/composite-tasks.ts';
import { runEmitTask, runListenTask } from './tasks/event-tasks.ts';
import { runRoutineTask } from './tasks/run-task.ts';
import { runRaiseTask, runSetTask, runSwitchTask, runWaitTask } from './tasks/plain-tasks.ts';
import { runTryTask } from './tasks/try-task.ts';

type RunKind = (routine: Interpretation, scope: TaskScope, state: JsonObject) => Promise<TaskResult>;

const kinds: Record<TaskKind, RunKind> = {
  call: runCallTask,
  do: runDoTask,
  emit: runEmitTask,
  for: runForTask,
  fork: runForkTask,
  listen: runListenTask,
  raise: runRaiseTask,
  run: runRoutineTask,
  set: runSetTask,
  switch: runSwitchTask,
  try: runTryTask,
  wait: runWaitTask,
};

/** Runs the tasks of a list one after the other, from the one at which `state` is. */
export async function runList(
  routine: Interpretation,
  { list, path, input, variables, state }: ListToRun,
): Promise<{ output: JsonValue; ends: boolean }> {
  const tasks = toTasks(list);
  for (;;) {
    const at = typeof state.at === 'number' ? state.at : 0;
    const task = tasks[at];
    const given = 'input' in state ? (state.input ?? null) : input;
    if (!task) return { output: given, ends: false };
    const placed = { ...task, path: `${path}/${at}/${task.name}` };
    const run = { task: placed, input: given, variables, state: partOf(state, 'task') };
    const { output, then } = await runTask(routine, run);
    delete state.task;
    state.input = output;
    if (then === 'end' || then === 'exit') return { output, ends: then === 'end' };
    state.at = then === 'continue' ? at + 1 : tasks.findIndex(({ name }) => name === then);
    if (state.at === -1)
      throw createRoutineError('configuration', `there is no task "${then}" in the same list`, {
        instance: placed.path,
      });
  }
}

/** Runs one task: its condition, its input, itself, its output and its export, in the order of the standard. */
export async function runTask(
  routine: Interpretation,
  { task, input, variables, state }: TaskToRun,
): Promise<{ output: JsonValue; then: string }> {
  const { ground, steps } = routine;
  const { definition, name, path } = task;
  const kind = toTaskKind(definition) ?? 'set';
  if (typeof state.step !== 'number') {
    await ground.beforeStep();
    const most = routine.limits?.steps ?? Infinity;
    if (steps.count() >= most)
      throw new RoutineLimitReached(
        `a run of this workspace may take ${most} steps, and began no other one at ${path}`,
      );
    const scope = { task, input, variables, startedAt: ground.now(), step: 0 };
    if (typeof definition.if === 'string' && !isTrue(await evaluate(routine, definition.if, { scope }))) {
      steps.skip({ path, name, kind });
      return { output: input, then: 'continue' };
    }
    Object.assign(state, { step: steps.begin({ path, name, kind }), startedAt: ground.now() });
  }
  const step = Number(state.step);
  const scope = { task, input, variables, startedAt: Number(state.startedAt), step };
  try {
    const result = await withTimeout(routine, { scope, state }, () => runBody(routine, scope, state));
    steps.end(step, result.output);
    return result;
  } catch (error) {
    const known = error instanceof RoutineError ? withInstance(error, path) : error;
    steps.fail(step, known instanceof RoutineError ? toProblemJson(known.problem) : null);
    throw known;
  }
}

function withInstance(error: RoutineError, path: string): RoutineError {
  return error.problem.instance === undefined
    ? new RoutineError({ ...error.problem, instance: path })
    : error;
}

async function runBody(routine: Interpretation, scope: TaskScope, state: JsonObject) {
  const { definition } = scope.task;
  if (!('input' in state)) {
    await check(routine, definition.input, { value: scope.input, what: 'input' });
    const from = objectOf(definition.input).from;
    if (from !== undefined) state.input = await shape(routine, from, { scope });
  }
  const own = 'input' in state ? { ...scope, input: state.input ?? null, rawInput: scope.input } : scope;
  if (!('output' in state)) {
    const kind = toTaskKind(definition) ?? 'set';
    const { output, then } = await kinds[kind](routine, own, partOf(state, 'body'));
    Object.assign(state, { output, ...(then === undefined ? {} : { then }) });
    delete state.body;
  }
  const raw = state.output ?? null;
  const output = await shapeOutput(routine, { ...own, rawOutput: raw }, raw);
  const then = state.then ?? definition.then;
  return { output, then: typeof then === 'string' ? then : 'continue' };
}

async function shapeOutput(routine: Interpretation, scope: TaskScope, raw: JsonValue): Promise<JsonValue> {
  const { definition } = scope.task;
  const as = objectOf(definition.output).as;
  const output =
    as === undefined ? raw : await shape(routine, as, { scope, dot: raw, more: { output: raw } });
  await check(routine, definition.output, { value: output, what: 'output' });
  const exported = objectOf(definition.export).as;
  if (exported !== undefined) {
    const context = await shape(routine, exported, { scope, dot: output, more: { output } });
    await check(routine, definition.export, { value: context, what: 'context' });
    routine.progress.context = context;
  }
  return output;
}

/** Evaluates `from` or `as`: an expression, or an object with expressions. */
export function shape(
  routine: Interpretation,
  template: JsonValue,
  evaluation: Parameters<typeof evaluate>[2],
): Promise<JsonValue> {
  return typeof template === 'string'
    ? evaluate(routine, template, evaluation)
    : fillTemplate(routine, template, evaluation);
}

/** Checks a value with the schema of `input`, `output` or `export`. @throws RoutineError of type `validation` */
export async function check(
  routine: Interpretation,
  holder: JsonValue | undefined,
  { value, what }: { value: JsonValue; what: string },
): Promise<void> {
  const { schema } = objectOf(holder);
  const document = isJsonObject(schema) ? schema.document : undefined;
  if (!isJsonObject(document)) return;
  const problem = await routine.ground.validate(document, value);
  if (problem !== null)
    throw createRoutineError('validation', `the ${what} does not fit its schema: ${problem}`);
}

async function withTimeout<Result>(
  routine: Interpretation,
  { scope, state }: { scope: TaskScope; state: JsonObject },
  run: () => Promise<Result>,
): Promise<Result> {
  const timeoutMs = findTimeoutMs(routine.document, scope.task.definition.timeout);
  if (timeoutMs === null) return run();
  const ended = await routine.ground.until(Number(state.startedAt) + timeoutMs, run);
  if (ended) return ended.result;
  throw createRoutineError('timeout', `the task did not end within ${timeoutMs} ms`, {
    instance: scope.task.path,
  });
}
