import { stripInvisible } from './invisible-text.ts';

/**
 * The form in which names of people are compared and looked up: two names with equal forms are one person. Case,
 * compatible characters (NFKC), invisible characters and spaces around the name make no difference.
 */
export function toPersonKey(name: string): string {
  // Invisible characters are removed first: between a letter and its accent they keep NFKC from composing the two.
  return stripInvisible(name).normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/** Returns the normal form of a name that may be missing; null for none, and for a name without visible characters. */
export function toOwnerKey(name: string | null | undefined): string | null {
  const key = toPersonKey(name ?? '');
  return key === '' ? null : key;
}

/** Returns true when two names are the name of one person. */
export function isSamePerson(one: string, other: string): boolean {
  return toPersonKey(one) === toPersonKey(other);
}

/** Returns true when `person` is null or not the person that an actor is limited to; false for an actor without a person. */
export function actsForOther(actsFor: string | null, person: string | null): boolean {
  return actsFor !== null && (person === null || !isSamePerson(actsFor, person));
}
