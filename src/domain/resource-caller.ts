import { toActorRef, type Actor } from './actor.ts';
import type { Maker, ResourceCaller } from './resource.ts';

type ApiCaller = Pick<Actor, 'workspaceId' | 'apiKeyId' | 'actsFor' | 'scopes'>;

/** The caller of a request to the API: the person for whom its key acts, or else the key. */
export function toPersonCaller(actor: ApiCaller, actingFor?: string): ResourceCaller {
  const { apiKeyId, actingFor: person } = toActorRef(actor, actingFor);
  const type: Maker['type'] = person === null ? 'key' : 'person';
  const maker = { type, person, apiKeyId, agentId: null, turnId: null };
  const { workspaceId, actsFor, scopes } = actor;
  return { workspaceId, maker, onlyPerson: actsFor, scopes };
}
