import type { Viewer } from './actor.ts';
import { mayDo } from './authorize.ts';
import { toPersonKey } from './person.ts';

/** The rows that a transaction sees: by its id all of one workspace, or of them only what one person may see. */
export type RowScope = string | PersonScope;

interface PersonScope {
  workspaceId: string;
  /** The normal form of the person's name. */
  person: string;
  /** Whether the person sees which tool calls of others wait for approval. */
  decides: boolean;
}

/** Returns the rows that an actor sees. */
export function toRowScope({ workspaceId, actsFor, reach, scopes = [] }: Viewer): RowScope {
  if (reach !== 'own') return workspaceId;
  return {
    workspaceId,
    person: toPersonKey(actsFor ?? ''),
    decides: mayDo({ scopes }, 'actions.decide'),
  };
}

/** Returns the workspace whose rows a transaction sees. */
export function toWorkspaceId(scope: RowScope): string {
  return typeof scope === 'string' ? scope : scope.workspaceId;
}
