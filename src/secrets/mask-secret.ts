const shownEnd = 4;
/** Shorter secrets would be half told by their ends. */
const leastForEnd = 12;
const leastForPrefix = 20;

/** What may be shown of a secret, so that its owner knows it again: `sk-…last4`, or less of a short one. */
export function maskSecret(secret: string): string {
  if (secret.length < leastForEnd) return '…';
  const [prefix = ''] = secret.length < leastForPrefix ? [] : (/^[A-Za-z0-9]{1,5}[-_]/.exec(secret) ?? []);
  return `${prefix}…${secret.slice(-shownEnd)}`;
}
