import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/json.ts';
import { createRoutineError } from '../../../../domain/routine-error.ts';
import { listSecretPlaces, type SecretLocation } from '../../../../domain/secret-reference.ts';
import { placeAuthentications } from '../authentications.ts';
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

/** Calls a function: one of the document, HTTP, OpenAPI, an agent, a model, a question to a person, or a tool of the agent. */
export async function runCallTask(
  routine: Interpretation,
  scope: TaskScope,
  state: JsonObject,
): Promise<TaskResult> {
  const { call, with: template } = scope.task.definition;
  const filled = await fillCall(routine, scope, objectOf(template));
  return callFunction(routine, scope, { name: typeof call === 'string' ? call : '', ...filled, state });
}

interface FilledCall {
  given: JsonObject;
  secrets: SecretLocation[];
}

interface FunctionCall extends FilledCall {
  name: string;
  state: JsonObject;
}

/** The places of secrets are those of the document: data that looks like one is data. */
async function fillCall(
  routine: Interpretation,
  scope: TaskScope,
  template: JsonObject,
): Promise<FilledCall> {
  const placed = placeAuthentications(routine.document, template);
  const given = objectOf(await fillTemplate(routine, placed, { scope }));
  return { given, secrets: listSecretPlaces(placed) };
}

async function callFunction(
  routine: Interpretation,
  scope: TaskScope,
  { name, given, secrets, state }: FunctionCall,
): Promise<TaskResult> {
  const own = findComponent(routine.document, 'functions', name);
  if (isJsonObject(own)) return callOwn(routine, scope, { name, given, secrets, state, own });
  const timeoutMs = findTimeoutMs(routine.document, scope.task.definition.timeout);
  const prepared = name === 'http' ? expandEndpoint(given, scope.input) : given;
  const step = { number: scope.step, call: name, arguments: prepared, secrets, timeoutMs };
  return { output: await routine.ground.call(step) };
}

/** A function of the document is a task. A call gets its arguments beside those of the caller; another task as input. */
async function callOwn(
  routine: Interpretation,
  scope: TaskScope,
  { name, given, state, own }: FunctionCall & { own: JsonObject },
): Promise<TaskResult> {
  if (typeof own.call === 'string') {
    if (own.call === name) throw createRoutineError('configuration', `the function "${name}" calls itself`);
    const base = await fillCall(routine, { ...scope, input: given }, objectOf(own.with));
    const secrets = base.secrets.filter(({ at: [name = ''] }) => !Object.hasOwn(given, name));
    return callFunction(routine, scope, {
      name: own.call,
      given: { ...base.given, ...given },
      secrets,
      state,
    });
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
  return { ...given, endpoint: isJsonObject(endpoint) ? { ...endpoint, uri: expanded } : expanded };
}
