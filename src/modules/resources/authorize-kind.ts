import { authorize, mayDo } from '../../domain/authorize.ts';
import type { ResourceCaller } from '../../domain/resource.ts';
import { getResourceKind } from './resource-kinds.ts';

type Access = 'read' | 'write';

/** Returns true unless the kind has its own API whose right the caller lacks. */
export function mayUseKind(caller: ResourceCaller, kind: string, access: Access): boolean {
  const { rights } = getResourceKind(kind);
  return !rights || mayDo(caller, rights[access]);
}

/**
 * Refuses a caller without the right to the separate API that some kinds have, such as agents.
 * @throws HoldfastError `FORBIDDEN`
 */
export function authorizeKind(caller: ResourceCaller, kind: string, access: Access): void {
  const { rights } = getResourceKind(kind);
  if (rights) authorize(caller, rights[access], `a resource of the kind ${kind}`);
}
