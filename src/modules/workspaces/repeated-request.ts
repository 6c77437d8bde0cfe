import type { Actor } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';
import { actsForOther } from '../../domain/person.ts';

/** The thing that is stored under the `Idempotency-Key` of a request. */
interface StoredRequest {
  /** The thing in words, such as `file`. */
  thing: string;
  /** The person for whom it was stored. */
  person: string | null | undefined;
  /** Whether the request that stored it was the same. */
  isSame: boolean;
  /** Its id, for the person for whom it was stored. */
  details: JsonObject;
}

/**
 * Refuses a request whose `Idempotency-Key` was used for another one. Keys are those of a workspace, so that the key of a
 * caller for one person finds nothing that was stored for another person, and no id of it.
 * @throws HoldfastError `IDEMPOTENCY_KEY_REUSED`
 */
export function requireSameRequest(
  { actsFor = null }: Partial<Pick<Actor, 'actsFor'>>,
  { thing, person = null, isSame, details }: StoredRequest,
): void {
  const isOther = actsForOther(actsFor, person);
  if (isSame && !isOther) return;
  const message = `This Idempotency-Key was used for another request. Use a new key for a new ${thing}.`;
  throw new HoldfastError('IDEMPOTENCY_KEY_REUSED', message, isOther ? {} : { details });
}
