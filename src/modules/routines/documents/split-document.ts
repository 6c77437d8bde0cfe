import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';

/** A list of tasks, with the JSON Pointer of its place in the document. */
interface TaskList {
  path: string;
  list: JsonValue[];
}

/** A document without nested tasks, and the lists that were taken out of it. */
interface SplitDocument {
  outer: JsonObject;
  lists: TaskList[];
}

/** Replaces a list that is checked separately. */
const example: JsonValue = [{ task: { set: { a: 1 } } }];

/**
 * Takes the lists of tasks that are inside of tasks out of a document, each as its own list. The schema of the standard
 * checks the tasks of a `for` twice, so that each `for` in another one would double the time of a check.
 */
export function splitDocument(document: JsonObject): SplitDocument {
  const lists: TaskList[] = [];
  const outer: JsonObject = { ...document, do: splitList(lists, document.do ?? null, '/do') };
  const { use } = document;
  if (!isJsonObject(use) || !isJsonObject(use.functions)) return { outer, lists };
  const functions = splitTasks(lists, use.functions, '/use/functions');
  return { outer: { ...outer, use: { ...use, functions } }, lists };
}

function splitList(lists: TaskList[], list: JsonValue, path: string): JsonValue {
  if (!Array.isArray(list)) return list;
  return list.map((item, index) => (isJsonObject(item) ? splitTasks(lists, item, `${path}/${index}`) : item));
}

/** Splits the tasks of an object, each named by its field. */
function splitTasks(lists: TaskList[], tasks: JsonObject, path: string): JsonObject {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      isJsonObject(task) ? splitTask(lists, task, `${path}/${name}`) : (task ?? null),
    ]),
  );
}

function splitTask(lists: TaskList[], task: JsonObject, path: string): JsonObject {
  const takeFrom = (holder: JsonObject, name: string, place: string): JsonObject => {
    const list = holder[name];
    if (!Array.isArray(list) || list.length === 0) return holder;
    // The place of the list is kept, so that the lists have the order of the document.
    const taken: TaskList = { path: `${place}/${name}`, list: [] };
    lists.push(taken);
    taken.list = splitList(lists, list, taken.path) as JsonValue[];
    return { ...holder, [name]: example };
  };
  const within = (holder: JsonObject, name: string, list: string): JsonObject => {
    const inner = holder[name];
    return isJsonObject(inner) ? { ...holder, [name]: takeFrom(inner, list, `${path}/${name}`) } : holder;
  };
  const flat = takeFrom(takeFrom(task, 'do', path), 'try', path);
  return within(within(flat, 'catch', 'do'), 'fork', 'branches');
}
