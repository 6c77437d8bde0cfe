import type { JsonObject, JsonValue } from '../../api/types.ts';

/** A task of a document of the Serverless Workflow standard, as it is drawn. */
export interface TaskNode {
  /** Its JSON Pointer in the document, by which steps of runs name it. */
  path: string;
  name: string;
  kind: string;
  /** What it does, in a few words. */
  text: string;
  /** The condition without which it is left out. */
  condition: string | null;
  /** Where the list goes on; null for the next task. */
  then: string | null;
  cases: readonly Case[];
  groups: readonly TaskGroup[];
  /** Whether its groups run at the same time. */
  isParallel: boolean;
  definition: JsonObject;
}

/** A case of a switch. */
export interface Case {
  name: string;
  /** Null for the case that always holds. */
  when: string | null;
  then: string | null;
}

/** Tasks inside of a task. */
export interface TaskGroup {
  /** Null where the task has one group alone. */
  label: string | null;
  tasks: readonly TaskNode[];
}

/** Reads the tasks of a document; what is no task is left out. */
export function toTaskTree(document: JsonObject): TaskNode[] {
  return toTasks(document['do'], '/do');
}

function toTasks(list: JsonValue | undefined, path: string): TaskNode[] {
  return toEntries(list).map(({ name, index, definition }) =>
    toTask({ name, definition, path: `${path}/${index}/${toPointerPart(name)}` }),
  );
}

const toPointerPart = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

interface Entry {
  name: string;
  index: number;
  definition: JsonObject;
}

/** Each item of a list of the standard is an object with one field: its name. */
function toEntries(list: JsonValue | undefined): Entry[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, index) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([name, definition]) =>
      isObject(definition) ? [{ name, index, definition }] : [],
    ),
  );
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kinds = ['try', 'for', 'fork', 'switch', 'call', 'listen', 'emit', 'raise', 'run', 'wait', 'set', 'do'];

interface Placed {
  name: string;
  path: string;
  definition: JsonObject;
}

function toTask({ name, path, definition }: Placed): TaskNode {
  const kind = kinds.find((one) => definition[one] !== undefined) ?? 'task';
  return {
    ...{ path, name, kind, definition },
    text: toText(kind, definition),
    condition: typeof definition['if'] === 'string' ? definition['if'] : null,
    then: toThen(definition),
    cases: toEntries(definition['switch']).map(({ name: caseName, definition: one }) => ({
      name: caseName,
      when: typeof one['when'] === 'string' ? one['when'] : null,
      then: toThen(one),
    })),
    groups: toGroups(kind, definition, path),
    isParallel: kind === 'fork',
  };
}

function toThen({ then }: JsonObject): string | null {
  return typeof then === 'string' && then !== 'continue' ? then : null;
}

function toGroups(kind: string, definition: JsonObject, path: string): TaskGroup[] {
  if (kind === 'do' || kind === 'for')
    return [{ label: null, tasks: toTasks(definition['do'], `${path}/do`) }];
  if (kind === 'fork') {
    const { fork } = definition;
    const branches = toTasks(isObject(fork) ? fork['branches'] : undefined, `${path}/fork/branches`);
    return branches.map((branch) => ({ label: null, tasks: [branch] }));
  }
  if (kind !== 'try') return [];
  const { catch: caught } = definition;
  const handlers = toTasks(isObject(caught) ? caught['do'] : undefined, `${path}/catch/do`);
  return [
    { label: null, tasks: toTasks(definition['try'], `${path}/try`) },
    { label: `on an error${toErrorText(caught)}`, tasks: handlers },
  ];
}

function toErrorText(caught: JsonValue | undefined): string {
  if (!isObject(caught)) return '';
  const { errors, retry } = caught;
  const filter = isObject(errors) && isObject(errors['with']) ? errors['with'] : {};
  const fields = Object.entries(filter).map(([name, value]) => `${name} ${toShort(value)}`);
  return [
    fields.length > 0 ? ` with ${fields.join(', ')}` : '',
    retry === undefined ? '' : ', after retries',
  ].join('');
}

function toText(kind: string, definition: JsonObject): string {
  const value = definition[kind];
  switch (kind) {
    case 'call':
      return toCallText(definition);
    case 'set':
      return isObject(value) ? Object.keys(value).join(', ') : toShort(value);
    case 'wait':
      return isObject(value)
        ? Object.entries(value)
            .map(([unit, count]) => `${toShort(count)} ${unit}`)
            .join(' ')
        : toShort(value);
    case 'for':
      return isObject(value) ? `each ${toShort(value['each'] ?? 'item')} in ${toShort(value['in'])}` : '';
    case 'fork':
      return isObject(value) && value['compete'] === true ? 'the first branch to end' : 'all branches';
    case 'listen':
      return listEventTypes(definition).join(', ');
    default:
      return toNamedText(kind, value);
  }
}

function toNamedText(kind: string, value: JsonValue | undefined): string {
  if (!isObject(value)) return '';
  if (kind === 'emit') return toShort(find(value, ['event', 'with', 'type']));
  if (kind === 'raise') {
    const { error } = value;
    return isObject(error) ? toShort(error['title'] ?? error['type']) : toShort(error);
  }
  if (kind === 'run')
    return `${toShort(find(value, ['workflow', 'namespace']))}/${toShort(find(value, ['workflow', 'name']))}`;
  return '';
}

function toCallText({ call, with: given }: JsonObject): string {
  const called = toShort(call);
  if (!isObject(given)) return called;
  const { method, endpoint, operationId } = given;
  if (called === 'http') {
    const address = isObject(endpoint) ? endpoint['uri'] : endpoint;
    return `${toShort(method).toUpperCase()} ${toShort(address)}`;
  }
  return called === 'openapi' ? `openapi ${toShort(operationId)}` : called;
}

/** Lists the filters of the events that a task waits for, as the document has them. */
export function listEventFilters({ listen }: JsonObject): JsonObject[] {
  const to = find(listen, ['to']);
  if (!isObject(to)) return [];
  const filters = [to['one'], to['any'], to['all']].flatMap((part) => (Array.isArray(part) ? part : [part]));
  return filters.filter(isObject).map((filter) => (isObject(filter['with']) ? filter['with'] : filter));
}

/** Lists the types of the events that a task waits for. */
export function listEventTypes(definition: JsonObject): string[] {
  return listEventFilters(definition).map(({ type }) => toShort(type));
}

function find(value: JsonValue | undefined, names: readonly string[]): JsonValue | undefined {
  return names.reduce<JsonValue | undefined>(
    (part, name) => (isObject(part) ? part[name] : undefined),
    value,
  );
}

function toShort(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Finds a task by its path in the tasks and all that are inside of them. */
export function findTask(tasks: readonly TaskNode[], path: string): TaskNode | undefined {
  for (const task of tasks) {
    if (task.path === path) return task;
    if (!path.startsWith(`${task.path}/`)) continue;
    return findTask(
      task.groups.flatMap((group) => group.tasks),
      path,
    );
  }
  return undefined;
}
