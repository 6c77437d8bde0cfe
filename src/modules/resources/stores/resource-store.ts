import type { JsonObject } from '../../../domain/json.ts';
import type { Maker, Resource, ResourceCaller, ResourceVersion } from '../../../domain/resource.ts';
import type { Page, PageRequest } from '../../../platform/database/page.ts';

/** A search or a list; all that is named has to fit. */
export interface ResourceQuery extends PageRequest {
  /** Words, phrases in quotes, `or`, and `-word`. The best results come first, without a cursor. */
  query?: string | undefined;
  filters: JsonObject;
  /** Only what this maker has made. */
  madeBy?: { type: Maker['type']; id: string } | undefined;
  /** Whether deleted resources are listed, and no others. @default false */
  deleted?: boolean | undefined;
}

/** A resource to add. */
export interface NewResource {
  id: string;
  name: string;
  attributes: JsonObject;
  expiresAt?: Date | null;
  scope: string | null;
  /** The text that searches find it by. */
  text: string;
}

/** A new version of a resource. */
export interface ResourceRevision {
  id: string;
  /** The version that the caller has seen; another one is refused. @default any */
  expectedVersion?: number | undefined;
  /** Names the request: a repeated one makes no other version. */
  requestId: string | null;
  /** The attributes that are replaced; the others stay. */
  change: JsonObject;
  /** Whether `change` has all attributes, so that no other one stays. @default false */
  isWhole?: boolean;
  /** Checks the new attributes, and returns what is stored of them. */
  toContent: (attributes: JsonObject) => Promise<Omit<NewResource, 'id' | 'scope'>>;
}

/** A resource to delete. */
export interface ResourceDeletion {
  id: string;
  expectedVersion?: number | undefined;
}

/** Where the resources of some kinds are kept. All functions see one workspace. */
export interface ResourceStore {
  list: (caller: ResourceCaller, query: ResourceQuery & { kinds: string[] }) => Promise<Page<Resource>>;
  /** Null when there is none, and with `deleted` also one that was deleted. */
  find: (caller: ResourceCaller, id: string, options?: { deleted?: boolean }) => Promise<Resource | null>;
  /** Finds the resource again when one with its id is there. */
  add: (caller: ResourceCaller, kind: string, resource: NewResource) => Promise<Resource>;
  /** @throws HoldfastError `NOT_FOUND`, `CONFLICT` when `expectedVersion` is not the present version */
  revise: (caller: ResourceCaller, revision: ResourceRevision) => Promise<Resource>;
  /** @throws HoldfastError `NOT_FOUND`, `CONFLICT` when `expectedVersion` is not the present version */
  delete: (caller: ResourceCaller, deletion: ResourceDeletion) => Promise<void>;
  /** @throws HoldfastError `NOT_FOUND`, `CONFLICT` for a kind that cannot be restored */
  restore: (caller: ResourceCaller, id: string) => Promise<Resource>;
  /** Newest first; the cursor is a number of a version. */
  listVersions: (
    caller: ResourceCaller,
    page: { id: string; before?: number | undefined; limit: number },
  ) => Promise<ResourceVersion[]>;
}
