import { HoldfastError } from '../../domain/errors.ts';
import type { Resource } from '../../domain/resource.ts';

/** The error for a resource that does not exist, was deleted, or is not for the caller. */
export function resourceNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no resource ${id}.`);
}

/** The error for a change of another version than the present one. */
export function versionConflict(
  { id, version }: Pick<Resource, 'id' | 'version'>,
  expected: number,
): HoldfastError {
  const message = `The resource ${id} has version ${version}, not ${expected}. Read it again and repeat the change.`;
  return new HoldfastError('CONFLICT', message, { details: { version } });
}
