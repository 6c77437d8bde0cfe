import { randomBytes } from 'node:crypto';
import { HoldfastError } from '../domain/errors.ts';
import { toSecret } from '../domain/webhook.ts';
import type { KeyRing, Sealed, SealContext } from '../secrets/key-ring.ts';

/** The secrets of a webhook, which are stored sealed. */
export interface WebhookSecrets {
  /** In the form `whsec_…`. */
  secret: string;
  /** Secrets that were replaced, newest first, and until when each of them signs along, in epoch milliseconds. */
  old: { secret: string; until: number }[];
}

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

/** Lists the secrets that sign now, the present one first. */
export function listSigning({ secret, old }: WebhookSecrets, now = Date.now()): string[] {
  return [secret, ...old.filter(({ until }) => until > now).map((one) => one.secret)];
}

function toContext({ id, workspaceId }: WebhookRow): SealContext {
  return { workspaceId, recordId: id, purpose: 'webhook' };
}

/** Seals the secrets of a webhook. @throws HoldfastError `SECRETS_UNAVAILABLE` */
export function sealSecrets(
  keyRing: Pick<KeyRing, 'seal'>,
  row: WebhookRow,
  secrets: WebhookSecrets | SlackSecrets,
): Sealed {
  return keyRing.seal(JSON.stringify(secrets), toContext(row));
}

type SealedRow = WebhookRow & { sealed: Buffer };

/** Opens the sealed secrets of a webhook with a URL. @throws HoldfastError `SECRETS_UNAVAILABLE` */
export function openSecrets(keyRing: Pick<KeyRing, 'open'>, row: SealedRow): WebhookSecrets {
  return openJson(keyRing, row) as WebhookSecrets;
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
