import { toActorRef } from '../domain/actor.ts';
import type { Principal } from '../domain/api-key.ts';
import type { Maker, ResourceCaller } from '../domain/resource.ts';

type ApiCaller = Pick<Principal, 'workspaceId' | 'apiKeyId' | 'actsFor'>;

/** The caller of a request to the API: the person for whom its key acts, or else the key. */
export function toPersonCaller(principal: ApiCaller, actingFor?: string): ResourceCaller {
  const { apiKeyId, actingFor: person } = toActorRef(principal, actingFor);
  const type: Maker['type'] = person === null ? 'key' : 'person';
  const maker = { type, person, apiKeyId, agentId: null, turnId: null };
  return { workspaceId: principal.workspaceId, maker, onlyPerson: principal.actsFor };
}
