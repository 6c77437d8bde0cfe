import type { JsonObject, JsonValue } from '../../../../domain/json.ts';
import { toTasks } from '../../routine-document-contract.ts';
import { createRoutineError } from '../../../../domain/routine-error.ts';
import { evaluate } from '../expressions.ts';
import {
  isTrue,
  objectOf,
  partOf,
  type Interpretation,
  type TaskResult,
  type TaskScope,
} from '../interpretation.ts';

/** Runs tasks one after the other. */
export async function runDoTask(
  routine: Interpretation,
  { task, input, variables }: TaskScope,
  state: JsonObject,
): Promise<TaskResult> {
  const list = { list: task.definition.do, path: `${task.path}/do`, input, variables, state };
  const { output, ends } = await routine.runList(routine, list);
  return toResult(output, ends);
}

/** Runs tasks for each item of a list. The output of one round is the input of the next. */
export async function runForTask(
  routine: Interpretation,
  scope: TaskScope,
  state: JsonObject,
): Promise<TaskResult> {
  const { task, variables } = scope;
  const { each, in: items, at } = objectOf(task.definition.for);
  if (!Array.isArray(state.items)) {
    const found = await evaluate(routine, typeof items === 'string' ? items : '.', { scope });
    if (!Array.isArray(found)) throw createRoutineError('expression', '"in" of the loop is not a list');
    Object.assign(state, { items: found, index: 0, input: scope.input });
  }
  const list = state.items as JsonValue[];
  for (let index = Number(state.index); index < list.length; index += 1) {
    state.index = index;
    const input = state.input ?? null;
    const named = {
      ...variables,
      [typeof each === 'string' ? each : 'item']: list[index] ?? null,
      [typeof at === 'string' ? at : 'index']: index,
    };
    const { while: condition } = task.definition;
    const isNew = state.round === undefined;
    const round = { ...scope, input, variables: named };
    if (
      isNew &&
      typeof condition === 'string' &&
      !isTrue(await evaluate(routine, condition, { scope: round }))
    )
      break;
    const { output, ends } = await routine.runList(routine, {
      ...{ list: task.definition.do, path: `${task.path}/do`, input, variables: named },
      state: partOf(state, 'round'),
    });
    delete state.round;
    Object.assign(state, { input: output, index: index + 1 });
    if (ends) return toResult(output, ends);
  }
  return { output: state.input ?? null };
}

/** Runs branches at the same time: all of them, or until the first of them ends. */
export async function runForkTask(
  routine: Interpretation,
  { task, input, variables }: TaskScope,
  state: JsonObject,
): Promise<TaskResult> {
  const { branches: list, compete } = objectOf(task.definition.fork);
  const branches = toTasks(list).map((branch, index) => async () => {
    const own = partOf(state, String(index));
    if (!('output' in own)) {
      const placed = { ...branch, path: `${task.path}/fork/branches/${index}/${branch.name}` };
      const run = { task: placed, input, variables, state: partOf(own, 'task') };
      const { output, then } = await routine.runTask(routine, run);
      Object.assign(own, { output, ends: then === 'end' });
      delete own.task;
    }
    return { output: own.output ?? null, ends: own.ends === true };
  });
  if (compete === true) {
    const { output, ends } = await routine.ground.race(branches);
    return toResult(output, ends);
  }
  const ended = await routine.ground.all(branches);
  return toResult(
    ended.map(({ output }) => output),
    ended.some(({ ends }) => ends),
  );
}

function toResult(output: JsonValue, ends: boolean): TaskResult {
  return { output, ...(ends ? { then: 'end' } : {}) };
}
