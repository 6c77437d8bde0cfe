import { randomBytes } from 'node:crypto';
import type { SealedTriggerSecrets } from './trigger-repository.ts';
import { createInvalidInput } from '../../domain/errors.ts';
import { findEndOfOld, type RotatedSecrets } from '../../domain/rotated-secrets.ts';
import type { WebhookSender } from '../../domain/webhook-rule.ts';
import type { KeyRing, SealContext } from '../../platform/secrets/key-ring.ts';

interface TriggerRef {
  id: string;
  workspaceId: string;
}

const newSecretBytes = 32;
/** Of a key in base64, by Standard Webhooks. */
const leastKeyBytes = 24;

function toContext({ id, workspaceId }: TriggerRef): SealContext {
  return { workspaceId, recordId: id, purpose: 'trigger' };
}

/** Seals the secrets of a trigger. @throws HoldfastError `SECRETS_UNAVAILABLE` */
export function sealTriggerSecrets(
  keyRing: Pick<KeyRing, 'seal'>,
  ref: TriggerRef,
  secrets: RotatedSecrets,
): SealedTriggerSecrets {
  const { sealed, keyId } = keyRing.seal(JSON.stringify(secrets), toContext(ref));
  return { sealed, keyId, oldUntil: findEndOfOld(secrets) };
}

/** Opens the sealed secrets of a trigger. @throws HoldfastError `SECRETS_UNAVAILABLE` */
export function openTriggerSecrets(
  keyRing: Pick<KeyRing, 'open'>,
  { sealed, ...ref }: TriggerRef & { sealed: Buffer },
): RotatedSecrets {
  return JSON.parse(keyRing.open(sealed, toContext(ref))) as RotatedSecrets;
}

/**
 * Returns the secret of a request, or a new one that is shown in its answer; null when the vendor makes the secret, so
 * that it is set later.
 * @throws HoldfastError `INVALID_INPUT` for a secret that is no key of the sender
 */
export function chooseSecret(
  { rule, secretFrom }: WebhookSender,
  given: string | undefined,
): { secret: string; isNew: boolean } | null {
  const isKey = rule.signature.key === 'base64';
  if (given !== undefined) {
    if (isKey) checkKey(given);
    return { secret: given, isNew: false };
  }
  if (secretFrom === 'vendor') return null;
  const bytes = randomBytes(newSecretBytes);
  return { secret: isKey ? `whsec_${bytes.toString('base64')}` : bytes.toString('hex'), isNew: true };
}

function checkKey(secret: string): void {
  const [, text = ''] = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  if (Buffer.from(text, 'base64').length >= leastKeyBytes) return;
  const message = `expected whsec_ and at least ${leastKeyBytes} bytes in base64`;
  throw createInvalidInput([{ field: 'secret', message }]);
}
