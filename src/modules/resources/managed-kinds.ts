import { createInvalidInput } from '../../domain/errors.ts';
import { resourceOperations, type ResourceOperation } from '../../domain/resource.ts';
import type { ResourceKind } from './resource-kind.ts';
import { resourceKinds } from './resource-kinds.ts';

/** The kinds that `resource_manage` knows. */
const managedKinds = resourceKinds.filter(({ isManaged = true }) => isManaged);

/** @throws HoldfastError `INVALID_INPUT` that names the kinds which `resource_manage` knows */
export function getManagedKind(kind: unknown, field: string): ResourceKind {
  const found = managedKinds.find((each) => each.kind === kind);
  if (found) return found;
  const names = managedKinds.map((each) => each.kind).join(', ');
  throw createInvalidInput([{ field, message: `expected one of ${names}, found ${JSON.stringify(kind)}` }]);
}

/** @throws HoldfastError `INVALID_INPUT` */
export function getOperation(op: unknown): ResourceOperation {
  const found = resourceOperations.find((each) => each === op);
  if (found) return found;
  const message = `expected one of ${resourceOperations.join(', ')}, found ${JSON.stringify(op)}`;
  throw createInvalidInput([{ field: 'op', message }]);
}
