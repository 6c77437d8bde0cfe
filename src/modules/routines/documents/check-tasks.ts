import type { FieldError } from '../../../domain/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { checkAuthentications, checkCallAuthentication } from './check-authentication.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkFields, checkUse, type Walk } from './check-walk.ts';
import { toRoutineMs, toTaskKind, toTasks, type NamedTask } from '../routine-document-contract.ts';

/** The functions of the standard that Holdfast does not call. */
const refusedCalls = new Set(['grpc', 'asyncapi', 'a2a', 'mcp']);

/** The fields by which errors are caught. */
const errorFields = ['type', 'status', 'instance', 'title', 'detail', 'details'];

/** The maximum number of tasks of a document. */
const mostTasks = 5_000;

/** Finds what the tasks of a document have that Holdfast does not run, and names that lead nowhere. */
export function findTaskErrors(document: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const walk: Walk = {
    refuse: (path, message) => void errors.push({ field: `document${path}`, message }),
    use: isJsonObject(document.use) ? document.use : {},
    count: 0,
  };
  checkTimeout(walk, document.timeout, '/timeout');
  checkSchemas(walk, document, '');
  checkAuthentications(walk);
  checkSecrets(walk, document);
  checkList(walk, document.do, '/do');
  const functions = isJsonObject(walk.use.functions) ? walk.use.functions : {};
  for (const [name, definition] of Object.entries(functions)) {
    if (isJsonObject(definition)) checkTask(walk, { name, definition }, `/use/functions/${name}`);
  }
  return errors;
}

function checkList(walk: Walk, list: JsonValue | undefined, path: string): void {
  const tasks = toTasks(list);
  const names = new Set<string>();
  for (const [index, task] of tasks.entries()) {
    const place = `${path}/${index}/${task.name}`;
    if (names.has(task.name)) walk.refuse(place, 'is the name of another task of the list');
    names.add(task.name);
    walk.count += 1;
    if (walk.count === mostTasks + 1) walk.refuse(place, `expected at most ${mostTasks} tasks`);
    checkTask(walk, task, place);
  }
  for (const [index, { name, definition }] of tasks.entries()) {
    for (const [at, then] of listDirectives(definition)) {
      const isKnown = ['continue', 'exit', 'end'].includes(then) || names.has(then);
      if (!isKnown)
        walk.refuse(`${path}/${index}/${name}${at}`, `there is no task "${then}" in the same list`);
    }
  }
}

function listDirectives(definition: JsonObject): [path: string, then: string][] {
  const own: [string, JsonValue | undefined][] = [['/then', definition.then]];
  const cases = toTasks(definition.switch).map(
    ({ name, definition: one }, index): [string, JsonValue | undefined] => [
      `/switch/${index}/${name}/then`,
      one.then,
    ],
  );
  return [...own, ...cases].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

function checkTask(walk: Walk, { definition }: NamedTask, path: string): void {
  const kind = toTaskKind(definition);
  if (kind === null) {
    walk.refuse(path, `is no known task: it has ${Object.keys(definition).join(', ') || 'nothing'}`);
    return;
  }
  checkTimeout(walk, definition.timeout, `${path}/timeout`);
  checkSchemas(walk, definition, path);
  checks[kind]?.(walk, definition, path);
}

const checks: Partial<Record<string, (walk: Walk, definition: JsonObject, path: string) => void>> = {
  call: checkCall,
  do: (walk, { do: list }, path) => checkList(walk, list, `${path}/do`),
  for: (walk, { do: list }, path) => checkList(walk, list, `${path}/do`),
  fork: (walk, { fork }, path) =>
    checkList(walk, isJsonObject(fork) ? fork.branches : undefined, `${path}/fork/branches`),
  emit: (walk, { emit }, path) =>
    checkFields(walk, isJsonObject(emit) ? emit.event : undefined, {
      path: `${path}/emit/event`,
      known: ['with'],
    }),
  listen: checkListen,
  raise: (walk, { raise }, path) => {
    const error = isJsonObject(raise) ? raise.error : undefined;
    if (typeof error === 'string') checkUse(walk, 'errors', { name: error, path: `${path}/raise/error` });
  },
  run: checkRun,
  try: checkTry,
  wait: (walk, { wait }, path) => {
    if (toRoutineMs(wait) === null) walk.refuse(`${path}/wait`, noDuration);
  },
};

const noDuration = 'expected a duration, such as PT5S or { seconds: 5 }';

function checkTimeout(walk: Walk, timeout: JsonValue | undefined, path: string): void {
  if (typeof timeout === 'string') checkUse(walk, 'timeouts', { name: timeout, path });
  else if (isJsonObject(timeout) && toRoutineMs(timeout.after) === null)
    walk.refuse(`${path}/after`, noDuration);
}

/** Schemas are part of the document, so that a run never waits for one. */
function checkSchemas(walk: Walk, holder: JsonObject, path: string): void {
  for (const name of ['input', 'output', 'export']) {
    const part = holder[name];
    const schema = isJsonObject(part) ? part.schema : undefined;
    if (!isJsonObject(schema)) continue;
    const place = `${path}/${name}/schema`;
    if (schema.resource !== undefined)
      walk.refuse(`${place}/resource`, 'is not supported: write the schema into "document"');
    const { format = 'json' } = schema;
    if (format !== 'json' && !(typeof format === 'string' && format.startsWith('json:')))
      walk.refuse(`${place}/format`, `expected "json", found ${JSON.stringify(format)}`);
  }
}

function checkCall(walk: Walk, { call, with: given }: JsonObject, path: string): void {
  if (typeof call !== 'string') return;
  if (refusedCalls.has(call)) walk.refuse(`${path}/call`, `"${call}" is not supported`);
  if (call.includes('@') || call.includes('://'))
    walk.refuse(`${path}/call`, 'functions of catalogues are not supported');
  if (isJsonObject(given) && (call === 'http' || call === 'openapi'))
    checkCallAuthentication(walk, given, `${path}/with`);
}

function checkListen(walk: Walk, { listen, foreach }: JsonObject, path: string): void {
  if (foreach !== undefined) walk.refuse(`${path}/foreach`, 'is not supported: use a "for" task after it');
  const to = isJsonObject(listen) ? listen.to : undefined;
  if (isJsonObject(to) && isJsonObject(to.until))
    walk.refuse(`${path}/listen/to/until`, 'is not supported with events; give an expression');
}

function checkRun(walk: Walk, { run }: JsonObject, path: string): void {
  for (const kind of ['container', 'script', 'shell']) {
    if (isJsonObject(run) && run[kind] !== undefined) walk.refuse(`${path}/run/${kind}`, 'is not supported');
  }
}

function checkTry(walk: Walk, { try: list, catch: caught }: JsonObject, path: string): void {
  checkList(walk, list, `${path}/try`);
  if (!isJsonObject(caught)) return;
  checkList(walk, caught.do, `${path}/catch/do`);
  const { errors } = caught;
  // The schema of the standard takes any field in these two objects.
  checkFields(walk, errors, { path: `${path}/catch/errors`, known: ['with'] });
  if (isJsonObject(errors))
    checkFields(walk, errors.with, { path: `${path}/catch/errors/with`, known: errorFields });
  if (typeof caught.retry === 'string')
    checkUse(walk, 'retries', { name: caught.retry, path: `${path}/catch/retry` });
}
