const shownEnd = 4;
/** The last characters of a shorter secret would reveal too much of it. */
const leastForEnd = 12;
const leastForPrefix = 20;

/** Masks a secret so that its owner recognizes it: `sk-…last4`, or less of a short one. */
export function maskSecret(secret: string): string {
  if (secret.length < leastForEnd) return '…';
  const [prefix = ''] = secret.length < leastForPrefix ? [] : (/^[A-Za-z0-9]{1,5}[-_]/.exec(secret) ?? []);
  return `${prefix}…${secret.slice(-shownEnd)}`;
}
