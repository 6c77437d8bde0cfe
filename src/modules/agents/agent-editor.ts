import type { Actor } from '../../domain/actor.ts';
import type { Maker } from '../../domain/resource.ts';
import { toPersonCaller } from '../../domain/resource-caller.ts';

/** The actor that changes an agent: one of the API, or another one with rights and the maker that its versions get. */
export type AgentEditor = Pick<Actor, 'workspaceId' | 'scopes'> &
  (Pick<Actor, 'apiKeyId' | 'actsFor'> | { maker: Maker });

/** Returns the maker of the versions that an editor makes: the person for whom its key acts, or else the key. */
export function toMaker(editor: AgentEditor): Maker {
  return 'maker' in editor ? editor.maker : toPersonCaller(editor).maker;
}
