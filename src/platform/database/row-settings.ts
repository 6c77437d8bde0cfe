import { toWorkspaceId, type RowScope } from '../../domain/row-scope.ts';
import { isUuid } from '../../domain/uuid.ts';

/**
 * Returns the settings of a transaction by their names, by which the policies of the tables show rows.
 * @throws TypeError for what is not the id of a workspace, and for a person without a name
 */
export function toSettings(scope: RowScope): Record<string, string> {
  const workspaceId = toWorkspaceId(scope);
  if (!isUuid(workspaceId)) throw new TypeError(`${workspaceId} is not the id of a workspace`);
  const ofWorkspace = { 'holdfast.workspace_id': workspaceId };
  if (typeof scope === 'string') return ofWorkspace;
  // An empty setting would show all of the workspace.
  if (scope.person === '') throw new TypeError('the person of a transaction has no name');
  return {
    ...ofWorkspace,
    'holdfast.person': scope.person,
    ...(scope.decides && { 'holdfast.decides': 'on' }),
    ...(scope.conversations && { 'holdfast.conversations': toUuidArray(scope.conversations) }),
  };
}

/** Writes ids as an array of Postgres, which is never empty: an empty one would be an unset setting. */
function toUuidArray(ids: readonly string[]): string {
  if (ids.length === 0 || !ids.every(isUuid)) throw new TypeError('expected ids of conversations');
  return `{${ids.join(',')}}`;
}
