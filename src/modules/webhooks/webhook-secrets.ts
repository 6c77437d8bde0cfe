import { randomBytes } from 'node:crypto';
import { HoldfastError } from '../../domain/errors.ts';
import type { RotatedSecrets } from '../../domain/rotated-secrets.ts';
import { toSecret } from '../../domain/webhook.ts';
import type { KeyRing, Sealed, SealContext } from '../../platform/secrets/key-ring.ts';

/** The secret of a channel of Slack, which is stored sealed. */
export interface SlackSecrets {
  signingSecret: string;
}

interface WebhookRow {
  id: string;
  workspaceId: string;
}

const newSecretBytes = 32;

/** Creates a random secret. */
export function createSecret(): string {
  return toSecret(randomBytes(newSecretBytes));
}

function toContext({ id, workspaceId }: WebhookRow): SealContext {
  return { workspaceId, recordId: id, purpose: 'webhook' };
}

/** Seals the secrets of a webhook. @throws HoldfastError `SECRETS_UNAVAILABLE` */
export function sealSecrets(
  keyRing: Pick<KeyRing, 'seal'>,
  row: WebhookRow,
  secrets: RotatedSecrets | SlackSecrets,
): Sealed {
  return keyRing.seal(JSON.stringify(secrets), toContext(row));
}

type SealedRow = WebhookRow & { sealed: Buffer };

/** Opens the sealed secrets of a webhook with a URL. @throws HoldfastError `SECRETS_UNAVAILABLE` */
export function openSecrets(keyRing: Pick<KeyRing, 'open'>, row: SealedRow): RotatedSecrets {
  return openJson(keyRing, row) as RotatedSecrets;
}

/** Opens the sealed secret of a channel of Slack. @throws HoldfastError `SECRETS_UNAVAILABLE` */
export function openSlackSecrets(keyRing: Pick<KeyRing, 'open'>, row: SealedRow): SlackSecrets {
  return openJson(keyRing, row) as SlackSecrets;
}

function openJson(keyRing: Pick<KeyRing, 'open'>, { sealed, ...row }: SealedRow): unknown {
  const text = keyRing.open(sealed, toContext(row));
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the secret.
    throw new HoldfastError('SECRETS_UNAVAILABLE', 'A stored secret cannot be read: it is damaged.');
  }
}
