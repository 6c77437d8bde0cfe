import type { Identity } from '../../api/scope.ts';
import type { ApiKey } from '../../api/types.ts';

type Bounds = Pick<Identity, 'scopes' | 'groups' | 'person'>;

/**
 * Returns true for a key that has no more than the person. The API refuses to revoke others. It refuses keys that are valid for
 * longer than the person's own too, which a session does not show.
 */
export function mayRevoke({ scopes, groups, person }: Bounds, key: ApiKey): boolean {
  return (
    key.scopes.every((scope) => scopes.includes(scope)) &&
    key.groups.every((group) => groups.includes(group)) &&
    (person === null || key.actsFor === person)
  );
}
