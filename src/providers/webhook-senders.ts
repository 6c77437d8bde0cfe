import type { WebhookSender } from '../domain/webhook-rule.ts';

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
const github: WebhookSender = {
  title: 'GitHub',
  secretFrom: 'registration',
  rule: {
    signature: {
      header: 'x-hub-signature-256',
      prefix: 'sha256=',
      encoding: 'hex',
      content: '{body}',
    },
    deliveryId: { header: 'x-github-delivery' },
    event: [{ header: 'x-github-event' }, { field: 'action' }],
    testEvents: ['ping'],
    bot: { field: 'sender.type', is: 'Bot' },
  },
};

/** https://docs.slack.dev/authentication/verifying-requests-from-slack and https://docs.slack.dev/apis/events-api */
const slack: WebhookSender = {
  title: 'Slack',
  secretFrom: 'vendor',
  rule: {
    signature: {
      header: 'x-slack-signature',
      prefix: 'v0=',
      encoding: 'hex',
      content: 'v0:{timestamp}:{body}',
    },
    timestamp: { at: { header: 'x-slack-request-timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
    deliveryId: { field: 'event_id' },
    event: [{ field: 'event.type' }, { field: 'event.subtype' }],
    challenge: { type: 'type', is: 'url_verification', answer: 'challenge' },
    bot: { field: 'event.bot_id' },
  },
};

/** https://docs.stripe.com/webhooks#verify-manually. The whole secret with its `whsec_` is the key. */
const stripe: WebhookSender = {
  title: 'Stripe',
  secretFrom: 'vendor',
  rule: {
    signature: {
      header: 'stripe-signature',
      separator: ',',
      prefix: 'v1=',
      encoding: 'hex',
      content: '{timestamp}.{body}',
    },
    timestamp: { at: { signaturePart: 't=' }, unit: 'seconds', toleranceSeconds: 300 },
    deliveryId: { field: 'id' },
    event: [{ field: 'type' }],
  },
};

/** https://linear.app/developers/webhooks, which says to refuse what is older than a minute. */
const linear: WebhookSender = {
  title: 'Linear',
  secretFrom: 'vendor',
  rule: {
    signature: { header: 'linear-signature', encoding: 'hex', content: '{body}' },
    timestamp: { at: { field: 'webhookTimestamp' }, unit: 'milliseconds', toleranceSeconds: 60 },
    deliveryId: { header: 'linear-delivery' },
    event: [{ field: 'type' }, { field: 'action' }],
  },
};

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const standardWebhooks: WebhookSender = {
  title: 'Standard Webhooks',
  secretFrom: 'registration',
  rule: {
    signature: {
      header: 'webhook-signature',
      separator: ' ',
      prefix: 'v1,',
      encoding: 'base64',
      content: '{id}.{timestamp}.{body}',
      key: 'base64',
    },
    timestamp: { at: { header: 'webhook-timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
    deliveryId: { header: 'webhook-id' },
    event: [{ field: 'type' }],
  },
};

/** The senders of webhooks whose rules are known, by name: that of their provider, if the catalogue has one. */
export const webhookSenders: Readonly<Record<string, WebhookSender>> = {
  ...{ github, slack, stripe, linear },
  'standard-webhooks': standardWebhooks,
};
