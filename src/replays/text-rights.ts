import type { Scope } from '../domain/api-key.ts';
import { HoldfastError } from '../domain/errors.ts';

const needed: Scope = 'conversations:read';

/** A caller who asks for texts of conversations. */
export interface TextReader {
  scopes: readonly Scope[];
}

/**
 * Refuses a caller who may not read conversations: cases of replays have their texts.
 * @throws HoldfastError `FORBIDDEN`
 */
export function refuseWithoutTexts({ scopes }: TextReader): void {
  if (scopes.includes(needed)) return;
  const message = `The API key lacks the scope ${needed}, since replays have the texts of conversations.`;
  throw new HoldfastError('FORBIDDEN', message, { details: { missingScopes: [needed] } });
}
