import type { Page } from '../../platform/database/page.ts';
import type { Maker, Resource, ResourceCaller, ResourceVersion } from '../../domain/resource.ts';
import { authorizeKind, mayUseKind } from './authorize-kind.ts';
import { parseInput } from './parse-input.ts';
import type { ResourceDependencies } from './resource-dependencies.ts';
import { resourceNotFound } from './resource-errors.ts';
import type { ResourceKind } from './resource-kind.ts';
import { getResourceKind } from './resource-kinds.ts';
import { listStores } from './stores/resource-stores.ts';

/** A search of resources. */
export interface ResourceFind {
  /** @default all kinds */
  kind?: string | undefined;
  /** Words, phrases in quotes, `or`, and `-word`. With it the best results come first, on one page. */
  query?: string | undefined;
  /** Filters of the kind, not checked yet. @default none */
  filters?: unknown;
  madeBy?: { type: Maker['type']; id: string } | undefined;
  deleted?: boolean | undefined;
  cursor?: string | undefined;
  limit: number;
}

/**
 * Lists resources, newest first, or searches them, best first.
 * Kinds whose own API the caller may not use are left out.
 * @throws HoldfastError `INVALID_INPUT` for filters that the kind does not have, `FORBIDDEN` for a kind whose own API the
 * caller may not use
 */
export async function findResources(
  dependencies: ResourceDependencies,
  caller: ResourceCaller,
  { kind, filters: given = {}, ...query }: ResourceFind,
): Promise<Page<Resource>> {
  const filters = parseInput(toFilters(kind), given, 'filters');
  if (kind !== undefined) authorizeKind(caller, kind, 'read');
  const stores = listStores(dependencies, kind).filter(({ kinds }) =>
    kinds.every((one) => mayUseKind(caller, one, 'read')),
  );
  const pages = await Promise.all(
    stores.map(({ store, kinds }) => store.list(caller, { ...query, filters, kinds })),
  );
  return mergePages(pages, query);
}

function toFilters(kind: string | undefined): ResourceKind['filters'] {
  // All kinds but agents, which have no tags, are filtered by tags.
  return getResourceKind(kind ?? 'note').filters;
}

/**
 * Ids sort by the time of creation in every store. The results of searches keep the order of their stores, since ranks of
 * different texts say nothing about each other.
 */
function mergePages(
  pages: Page<Resource>[],
  { query, limit }: { query?: string | undefined; limit: number },
) {
  const [only, ...others] = pages;
  if (only && others.length === 0) return only;
  const all = pages.flatMap(({ items }) => items);
  if (query !== undefined) return { items: all.slice(0, limit), nextCursor: null };
  const items = all.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit);
  // A page that its bytes have ended early ends the merged one too, so that nothing between is skipped.
  const ends = pages.map(({ nextCursor }) => nextCursor).filter((cursor) => cursor !== null);
  const lowest = ends.reduce((highest, cursor) => (cursor > highest ? cursor : highest), '');
  const shown = items.filter(({ id }) => id >= lowest);
  const isMore = ends.length > 0 || all.length > shown.length;
  return { items: shown, nextCursor: isMore ? (shown.at(-1)?.id ?? null) : null };
}

interface Wanted {
  id: string;
  kind?: string | undefined;
  /** Whether it may be deleted. @default false */
  deleted?: boolean;
  /** The access that the caller needs. @default read */
  access?: 'read' | 'write';
}

/**
 * @throws HoldfastError `NOT_FOUND`, also for a resource of another kind than `kind`; `FORBIDDEN` for a kind whose own API
 * the caller may not use
 */
export async function getResource(
  dependencies: ResourceDependencies,
  caller: ResourceCaller,
  { id, kind, deleted = false, access = 'read' }: Wanted,
): Promise<Resource> {
  for (const { store } of listStores(dependencies, kind)) {
    const found = await store.find(caller, id, { deleted });
    const isGone = found?.expiresAt != null && Date.parse(found.expiresAt) <= Date.now();
    if (!found || isGone || (kind !== undefined && found.kind !== kind)) continue;
    authorizeKind(caller, found.kind, access);
    return found;
  }
  throw resourceNotFound(id);
}

/**
 * Lists the versions of a resource, newest first, also of a deleted one.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function listResourceVersions(
  dependencies: ResourceDependencies,
  caller: ResourceCaller,
  { id, ...page }: { id: string; before?: number | undefined; limit: number },
): Promise<ResourceVersion[]> {
  const found = await getResource(dependencies, caller, { id, deleted: true });
  const [stored] = listStores(dependencies, found.kind);
  return stored ? stored.store.listVersions(caller, { id, ...page }) : [];
}
