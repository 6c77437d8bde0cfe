import type { HoldfastClient } from '../client/index.ts';
import type { Scope } from '../../domain/scope.ts';
import { findUnknownFields } from '../../domain/unknown-field.ts';
import type { DevelopmentProcess } from './development-process.ts';
import { refuseFields } from './scripted-model.ts';

/** A caller that decides or asks in a test. */
export interface Somebody {
  /** The only person for whom the client acts; it then sees only what that person sees. @default it acts for no person */
  person?: string;
  /** The groups of approvers that it is in. @default none */
  groups?: readonly string[];
  /** @default all but `api_keys:write` and `payloads:read` */
  scopes?: readonly Scope[];
}

/**
 * Makes a key of the workspace as its operator, who may give any scope and group, and returns it.
 * @throws Error with the reason when the key cannot be made
 */
export async function makeKey(
  somebody: Somebody,
  { client, administer }: Pick<DevelopmentProcess, 'administer'> & { client: HoldfastClient },
  signal: AbortSignal,
): Promise<string> {
  refuseFields('as', findUnknownFields(somebody, ['person', 'groups', 'scopes']));
  const { person, groups = [], scopes } = somebody;
  const { workspaceId } = await client.session.get();
  const options = {
    ...{ workspace: workspaceId, name: person ?? 'test', 'acts-for': person },
    ...{ groups: groups.length === 0 ? undefined : groups.join(','), scopes: scopes?.join(',') },
  };
  const given = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  return administer(['api-keys', 'create', ...given], signal);
}
