import type { ResourceDependencies } from '../resource-dependencies.ts';
import type { ResourceKind } from '../resource-kind.ts';
import { getResourceKind, resourceKinds } from '../resource-kinds.ts';
import { createRowStore } from './row-store.ts';
import type { ResourceStore } from './resource-store.ts';

/** A store, and the names of the kinds that it keeps. */
interface StoredKinds {
  store: ResourceStore;
  kinds: string[];
}

/** Lists the stores of all kinds, or of one. */
export function listStores(dependencies: ResourceDependencies, kind?: string): StoredKinds[] {
  if (kind !== undefined) return [{ store: getStore(dependencies, getResourceKind(kind)), kinds: [kind] }];
  const inRows = resourceKinds.filter(({ createStore }) => !createStore);
  const others = resourceKinds.filter(({ createStore }) => createStore);
  return [
    { store: createRowStore(dependencies), kinds: inRows.map((each) => each.kind) },
    ...others.map((each) => ({ store: getStore(dependencies, each), kinds: [each.kind] })),
  ];
}

/** The store of a kind. */
export function getStore(dependencies: ResourceDependencies, { createStore }: ResourceKind): ResourceStore {
  return createStore ? createStore(dependencies) : createRowStore(dependencies);
}
