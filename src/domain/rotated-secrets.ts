import { HoldfastError } from './errors.ts';

/** A secret that may be replaced while the ones before it still count for a time. */
export interface RotatedSecrets {
  secret: string;
  /** Secrets that were replaced, newest first, and until when each of them counts, in epoch milliseconds. */
  old: { secret: string; until: number }[];
}

/** Each of them is one more signature. */
const mostOldSecrets = 5;

/** Lists the secrets that count now, the present one first. */
export function listCounting({ secret, old }: RotatedSecrets, now = Date.now()): string[] {
  return [secret, ...old.filter(({ until }) => until > now).map((one) => one.secret)];
}

/**
 * Replaces a secret, which counts for `overlapMs` more.
 * @throws HoldfastError `CONFLICT` while five replaced secrets count
 */
export function replaceSecret(
  replaced: RotatedSecrets,
  { secret, overlapMs }: { secret: string; overlapMs: number },
): RotatedSecrets {
  const now = Date.now();
  const former = { secret: replaced.secret, until: now + overlapMs };
  const old = [former, ...replaced.old].filter(({ until }) => until > now);
  if (old.length <= mostOldSecrets) return { secret, old };
  const message = `${mostOldSecrets} replaced secrets of the webhook count already. Wait until one of them is over.`;
  throw new HoldfastError('CONFLICT', message);
}

/** The time at which the last replaced secret expires; null when none still counts. */
export function findEndOfOld({ old }: RotatedSecrets): Date | null {
  return old.length === 0 ? null : new Date(Math.max(...old.map(({ until }) => until)));
}
