import { createHmac } from 'node:crypto';
import { toSecretKey } from '../../../domain/webhook.ts';

/** A message as it is sent. */
interface Message {
  id: string;
  body: string;
  /** When this attempt is made, in epoch milliseconds. */
  sentAt: number;
}

/**
 * Returns the headers of a message by Standard Webhooks 1.0: its id, the time of the attempt in seconds, and a signature
 * by each secret.
 */
export function signMessage(secrets: string[], { id, body, sentAt }: Message): Record<string, string> {
  const timestamp = Math.floor(sentAt / 1000);
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', toSecretKey(secret)).update(`${id}.${timestamp}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
