import { createHmac, randomUUID } from 'node:crypto';

/** A delivery as a vendor sends it. */
export interface VendorDelivery {
  body: string;
  headers: Record<string, string>;
}

interface Sent {
  secret: string;
  payload: object;
  /** The id of the delivery, for vendors that send it in a header. @default a new one */
  id?: string;
  /** The type of the event, for vendors that send it in a header. @default 'issues' */
  event?: string;
  /** When it is signed, in epoch milliseconds. @default now */
  at?: number;
}

const json = { 'content-type': 'application/json' };

function sign(secret: string | Buffer, text: string, encoding: 'hex' | 'base64' = 'hex'): string {
  return createHmac('sha256', secret).update(text).digest(encoding);
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#delivery-headers */
export function fromGitHub({ secret, payload, id = randomUUID(), event = 'issues' }: Sent): VendorDelivery {
  const body = JSON.stringify(payload);
  const headers = {
    ...json,
    'user-agent': 'GitHub-Hookshot/044aadd',
    'x-github-delivery': id,
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${sign(secret, body)}`,
  };
  return { body, headers };
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function fromSlack({ secret, payload, at = Date.now() }: Sent): VendorDelivery {
  const body = JSON.stringify(payload);
  const timestamp = String(Math.floor(at / 1000));
  const signature = `v0=${sign(secret, `v0:${timestamp}:${body}`)}`;
  const headers = { ...json, 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature };
  return { body, headers };
}

/** https://docs.stripe.com/webhooks#verify-manually; while a secret is rolled, Stripe signs by two. */
export function fromStripe({ secret, payload, at = Date.now() }: Sent): VendorDelivery {
  const body = JSON.stringify(payload, null, 2);
  const timestamp = String(Math.floor(at / 1000));
  const rolled = sign('whsec_rolled', `${timestamp}.${body}`);
  const signature = `t=${timestamp},v1=${rolled},v1=${sign(secret, `${timestamp}.${body}`)},v0=${'0'.repeat(64)}`;
  return {
    body,
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
  };
}

/** https://linear.app/developers/webhooks */
export function fromLinear({ secret, payload, id = randomUUID(), at = Date.now() }: Sent): VendorDelivery {
  const body = JSON.stringify({ ...payload, webhookTimestamp: at });
  const headers = { ...json, 'linear-delivery': id, 'linear-signature': sign(secret, body) };
  return { body, headers };
}

/** https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation */
export function fromHubSpot({
  secret,
  payload,
  url,
  at = Date.now(),
}: Sent & { url: string }): VendorDelivery {
  const body = JSON.stringify(payload);
  const signature = sign(secret, `POST${url}${body}${at}`, 'base64');
  const headers = { 'x-hubspot-signature-v3': signature, 'x-hubspot-request-timestamp': String(at) };
  return { body, headers: { ...json, ...headers } };
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export function fromStandardSender(sent: Sent): VendorDelivery {
  const { secret, payload, id = randomUUID(), at = Date.now() } = sent;
  const body = JSON.stringify(payload);
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = `v1,${sign(key, `${id}.${timestamp}.${body}`, 'base64')}`;
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return { body, headers: { ...json, ...headers } };
}

/** The answer of a hook. */
export interface HookReply {
  status: number;
  body: { deliveryId?: string; challenge?: string; error?: { code: string; message: string } };
}

/** Sends a delivery to the URL of a trigger. */
export async function deliver(url: string, { body, headers }: VendorDelivery): Promise<HookReply> {
  const response = await fetch(url, { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as HookReply['body'] };
}
