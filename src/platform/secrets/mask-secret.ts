const shownEnd = 4;
/** Shorter secrets are masked without their last characters, which would reveal too much. */
const leastForEnd = 12;
const leastForPrefix = 20;

/** Masks a secret so that its owner recognizes it: `sk-…last4`; less of a short secret stays. */
export function maskSecret(secret: string): string {
  if (secret.length < leastForEnd) return '…';
  const [prefix = ''] = secret.length < leastForPrefix ? [] : (/^[A-Za-z0-9]{1,5}[-_]/.exec(secret) ?? []);
  return `${prefix}…${secret.slice(-shownEnd)}`;
}
