import type { Decider } from '../../api/types.ts';

/** Names who has decided: a person, a remembered approval, or a key that acts for no person. */
export function toDeciderName({ actingFor, grantId }: Decider): string {
  const who = actingFor ?? 'an API key';
  return grantId === undefined ? who : `a remembered approval of ${who}`;
}
