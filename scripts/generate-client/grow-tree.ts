import type { Operation } from './describe-operations.ts';

/** A branch of the client's tree: an operation by its name, or a branch below it. */
interface Branch {
  [name: string]: Operation | Branch;
}

/** The names of operations that do not follow from method and path, by operationId; null for one outside the tree. */
export type ClientNames = Readonly<Record<string, string | null>>;

/** The names of the usual operations come first, in this order. */
const usual = ['create', 'get', 'list', 'update', 'delete'];

/**
 * Returns the tree of the client: where callers find each operation. `POST /api/schedules` is `schedules.create`,
 * `POST /api/schedules/{id}/pause` is `schedules.pause`, and `GET /api/webhooks/{id}/deliveries/{deliveryId}` is
 * `webhooks.deliveries.get`. Paths outside `/api` are not in the tree.
 * @throws Error when two operations have the same name, or one has no name
 */
export function growTree(operations: Operation[], names: ClientNames): Branch {
  const unknown = Object.keys(names).filter((name) => !operations.some(({ id }) => id === name));
  if (unknown.length > 0) throw new Error(`there is no operation ${unknown.join(', ')}`);
  const paths = new Set(operations.map(({ path }) => path.replace(/\/\{\w+\}$/, '/')));
  const tree: Branch = {};
  for (const operation of operations) {
    const isCollection = paths.has(`${operation.path}/`);
    const given = names[operation.id];
    const name = given === undefined ? toName(operation, isCollection) : given;
    if (name !== null) place(tree, name.split('.'), operation);
  }
  return sortBranch(tree);
}

function toName({ method, path }: Operation, isCollection: boolean): string | null {
  if (!path.startsWith('/api/')) return null;
  const parts = path.split('/').slice(2);
  const nouns = parts.filter((part) => !part.startsWith('{')).map(toCamelCase);
  const isOne = parts.at(-1)?.startsWith('{') === true;
  const verbs = isOne
    ? { GET: 'get', PATCH: 'update', PUT: 'update', DELETE: 'delete' }
    : { GET: 'list', POST: 'create' };
  if (!isOne && !isCollection && nouns.length > 1) return nouns.join('.');
  const verb = (verbs as Record<string, string>)[method];
  if (verb === undefined) throw new Error(`${method} ${path} needs a clientName`);
  return [...nouns, verb].join('.');
}

function toCamelCase(text: string): string {
  return text.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

function place(tree: Branch, [name = '', ...rest]: string[], operation: Operation): void {
  const found = tree[name];
  if (found && (rest.length === 0 || isOperation(found)))
    throw new Error(`${operation.id} has the name of another operation in the client: ${name}`);
  if (rest.length === 0) tree[name] = operation;
  else place((tree[name] ??= {}) as Branch, rest, operation);
}

/** Returns whether a part of the tree is an operation. */
export function isOperation(part: Operation | Branch): part is Operation {
  return typeof part['id'] === 'string';
}

function sortBranch(branch: Branch): Branch {
  const toRank = (name: string) => (usual.includes(name) ? usual.indexOf(name) : usual.length);
  const sorted = Object.entries(branch).toSorted(([one], [other]) => toRank(one) - toRank(other));
  return Object.fromEntries(
    sorted.map(([name, part]) => [name, isOperation(part) ? part : sortBranch(part)]),
  );
}
