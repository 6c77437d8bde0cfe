import type { Viewer } from './actor.ts';
import { mayDo } from './authorize.ts';
import { toOwnerKey, toPersonKey } from './person.ts';

/** The rows that a transaction sees: by its id all of one workspace, or of them only what one person may see. */
export type RowScope = string | PersonScope;

interface PersonScope {
  workspaceId: string;
  /** The normal form of the person's name. */
  person: string;
  /** Whether the person sees which tool calls of others wait for approval. */
  decides: boolean;
  /** The ids of the only conversations that are seen. @default all that the person sees */
  conversations?: readonly string[];
}

/** Returns the rows that an actor sees. */
export function toRowScope({ workspaceId, actsFor, reach, scopes = [], conversations }: Viewer): RowScope {
  if (reach !== 'own') return workspaceId;
  return {
    workspaceId,
    person: toPersonKey(actsFor ?? ''),
    decides: conversations === undefined && mayDo({ scopes }, 'actions.decide'),
    ...(conversations && { conversations }),
  };
}

/** Returns the normal form of the only person whose rows an actor sees in lists; null for an actor that sees all. */
export function toViewerKey({ reach, actsFor }: Pick<Viewer, 'reach' | 'actsFor'>): string | null {
  return reach === 'own' ? toOwnerKey(actsFor) : null;
}

/** Returns the workspace whose rows a transaction sees. */
export function toWorkspaceId(scope: RowScope): string {
  return typeof scope === 'string' ? scope : scope.workspaceId;
}
