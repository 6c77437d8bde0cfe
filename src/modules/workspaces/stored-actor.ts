import { listCredentials, type Credential } from './keys/credential-repository.ts';
import type { Query } from '../../platform/database/statement.ts';
import { createKeylessActor, meetOf, type Actor, type ActorRef } from '../../domain/actor.ts';
import { listMissingScopes } from '../../domain/authorize.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';
import { actsForOther } from '../../domain/person.ts';
import type { Right } from '../../domain/rights.ts';
import { toActor } from './keys/authenticate-key.ts';

/** A maker of stored work today: its actor and the name of its key for messages, or why it may not act any more. */
type Maker = { actor: Actor; key: string } | Loss;

/** Why work may not act any more: the end of a sentence, and facts for programs. */
interface Loss {
  lost: string;
  details: JsonObject;
}

/**
 * Reads the actor that a stored reference stands for today, with what its key and the makers of that may do now. A reference
 * without a key, of an operator or a program that came through Temporal, has all scopes and no groups.
 * Null when there is no reference, when its key or a maker of that was revoked or has expired, and when the key is bound to another person.
 */
export async function loadActor(
  query: Query,
  { workspaceId, ref }: { workspaceId: string; ref: ActorRef | null },
): Promise<Actor | null> {
  const [found] = await loadMakers(query, workspaceId, ref ? [ref] : []);
  return found && 'actor' in found ? found.actor : null;
}

interface ActingAgain {
  workspaceId: string;
  /** The maker of the work and its last changer; null for one that is not known. */
  makers: readonly (ActorRef | null)[];
  rights: readonly Right[];
  /** The work in words, for the message, such as `the schedule nightly`. */
  work: string;
}

/**
 * Checks, before stored work acts, that its maker and its last changer still may do so. Returns the actor of the first of
 * them, with the scopes and groups that all of them have, the first person that any of them acts for, and the least reach.
 * @throws HoldfastError `RIGHTS_LOST` when one is lost or lacks a right now, and when no maker is known
 */
export async function actAgain(
  query: Query,
  { workspaceId, makers, rights, work }: ActingAgain,
): Promise<Actor> {
  const refs = makers.filter((ref) => ref !== null);
  const found = await loadMakers(query, workspaceId, refs);
  const actors = found.map((maker) => toActorWith(rights, { maker, work }));
  const [first, ...others] = actors;
  if (!first) throw createRightsLost(work, { lost: 'its maker is not known', details: {} });
  return meetOf(first, ...others);
}

/** Does what `actAgain` does, and returns the error `RIGHTS_LOST` in place of throwing it. */
export function findActor(query: Query, acting: ActingAgain): Promise<Actor | HoldfastError> {
  return actAgain(query, acting).catch((error: unknown) => {
    if (error instanceof HoldfastError && error.code === 'RIGHTS_LOST') return error;
    throw error;
  });
}

/** @throws HoldfastError `RIGHTS_LOST` */
function toActorWith(rights: readonly Right[], { maker, work }: { maker: Maker; work: string }): Actor {
  if ('lost' in maker) throw createRightsLost(work, maker);
  const { actor, key } = maker;
  const missingScopes = [...new Set(rights.flatMap((right) => listMissingScopes(actor, right)))];
  if (missingScopes.length === 0) return actor;
  const details = { apiKeyId: actor.apiKeyId, missingScopes };
  throw createRightsLost(work, { lost: `${key} lacks ${missingScopes.join(', ')}`, details });
}

/** Returns the makers in the order of the references. */
async function loadMakers(query: Query, workspaceId: string, refs: readonly ActorRef[]): Promise<Maker[]> {
  const ids = [...new Set(refs.flatMap(({ apiKeyId }) => apiKeyId ?? []))];
  const found = ids.length === 0 ? [] : await listCredentials(query, ids);
  const keys = found.filter((key) => key.workspaceId === workspaceId);
  return refs.map((ref) => toMaker(ref, { workspaceId, keys }));
}

function toMaker(ref: ActorRef, { workspaceId, keys }: { workspaceId: string; keys: Credential[] }): Maker {
  const { apiKeyId, actingFor: actsFor } = ref;
  if (apiKeyId === null)
    return { actor: { ...createKeylessActor(workspaceId, 'stored'), actsFor }, key: 'an operator' };
  const details = { apiKeyId };
  const key = keys.find(({ id }) => id === apiKeyId);
  if (!key) return { lost: `the API key ${apiKeyId} is not there any more`, details };
  const title = `the API key ${key.name} (${apiKeyId})`;
  const problem = key.problem ?? findOtherPerson(key, ref);
  if (problem !== null) return { lost: `${title} ${problem}`, details };
  return { actor: { ...toActor(key, 'stored'), workspaceId, actsFor }, key: title };
}

function findOtherPerson({ actsFor }: Credential, { actingFor }: ActorRef): string | null {
  if (!actsForOther(actsFor, actingFor)) return null;
  return `acts for ${actsFor} only, and not for ${actingFor ?? 'a person whom requests name'}`;
}

function createRightsLost(work: string, { lost, details }: Loss): HoldfastError {
  const message = `Expected that ${work} still may act, found that ${lost}. Let a key with the rights make or change it.`;
  return new HoldfastError('RIGHTS_LOST', message, { details });
}
