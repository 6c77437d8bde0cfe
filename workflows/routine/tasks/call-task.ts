import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/domain/json.ts';
import { createRoutineError } from '../../../src/domain/routine-error.ts';
import { fillTemplate } from '../expressions.ts';
import {
  findComponent,
  objectOf,
  partOf,
  type Interpretation,
  type TaskResult,
  type TaskScope,
} from '../interpretation.ts';
import { findTimeoutMs } from '../find-timeout.ts';

/** Calls a function: one of the document, HTTP, an agent, a question to a person, or a tool of the agent. */
export async function runCallTask(
  routine: Interpretation,
  scope: TaskScope,
  state: JsonObject,
): Promise<TaskResult> {
  const { definition } = scope.task;
  const given = objectOf(await fillTemplate(routine, definition.with ?? {}, { scope }));
  return callFunction(routine, scope, {
    name: typeof definition.call === 'string' ? definition.call : '',
    given,
    state,
  });
}

interface FunctionCall {
  name: string;
  given: JsonObject;
  state: JsonObject;
}

async function callFunction(
  routine: Interpretation,
  scope: TaskScope,
  { name, given, state }: FunctionCall,
): Promise<TaskResult> {
  const own = findComponent(routine.document, 'functions', name);
  if (isJsonObject(own)) return callOwn(routine, scope, { name, given, state, own });
  const timeoutMs = findTimeoutMs(routine.document, scope.task.definition.timeout);
  const prepared = name === 'http' ? expandEndpoint(given, scope.input) : given;
  return {
    output: await routine.ground.call({ number: scope.step, call: name, arguments: prepared, timeoutMs }),
  };
}

/** A function of the document is a task. A call gets its arguments beside those of the caller; another task as input. */
async function callOwn(
  routine: Interpretation,
  scope: TaskScope,
  { name, given, state, own }: FunctionCall & { own: JsonObject },
): Promise<TaskResult> {
  if (typeof own.call === 'string') {
    if (own.call === name) throw createRoutineError('configuration', `the function "${name}" calls itself`);
    const base = objectOf(await fillTemplate(routine, own.with ?? {}, { scope: { ...scope, input: given } }));
    return callFunction(routine, scope, { name: own.call, given: { ...base, ...given }, state });
  }
  const task = { name, definition: own, path: `/use/functions/${name}` };
  const run = { task, input: given, variables: scope.variables, state: partOf(state, 'function') };
  return { output: (await routine.runTask(routine, run)).output };
}

/** Fills the URI template of an endpoint, `{name}`, with fields of the input. */
function expandEndpoint(given: JsonObject, input: JsonValue): JsonObject {
  const { endpoint } = given;
  const uri = isJsonObject(endpoint) ? endpoint.uri : endpoint;
  if (typeof uri !== 'string') return given;
  const fields = objectOf(input);
  const expanded = uri.replaceAll(/\{([A-Za-z_]\w*)\}/g, (whole, name: string) => {
    const value = fields[name];
    return typeof value === 'string' || typeof value === 'number' ? encodeURIComponent(value) : whole;
  });
  return { ...given, endpoint: expanded };
}
