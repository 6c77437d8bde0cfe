import type { WebhookSender } from '../../domain/webhook-rule.ts';

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

/** https://developer.pagerduty.com/docs/verifying-webhook-signatures; one header has a signature by each secret. */
const pagerduty: WebhookSender = {
  title: 'PagerDuty',
  secretFrom: 'vendor',
  rule: {
    signature: {
      header: 'x-pagerduty-signature',
      separator: ',',
      prefix: 'v1=',
      encoding: 'hex',
      content: '{body}',
    },
    deliveryId: { field: 'event.id' },
    event: [{ field: 'event.event_type' }],
    testEvents: ['pagey.ping'],
  },
};

/** https://developer.zendesk.com/documentation/webhooks/verifying/. Zendesk names no tolerance. */
const zendesk: WebhookSender = {
  title: 'Zendesk',
  secretFrom: 'vendor',
  rule: {
    signature: { header: 'x-zendesk-webhook-signature', encoding: 'base64', content: '{timestamp}{body}' },
    timestamp: {
      ...{ at: { header: 'x-zendesk-webhook-signature-timestamp' }, unit: 'iso', toleranceSeconds: 300 },
    },
    deliveryId: { header: 'x-zendesk-webhook-invocation-id' },
    event: [{ field: 'type' }],
  },
};

/** https://shopify.dev/docs/apps/build/webhooks/subscribe/https. The client secret of the app is the key. */
const shopify: WebhookSender = {
  title: 'Shopify',
  secretFrom: 'vendor',
  rule: {
    signature: { header: 'x-shopify-hmac-sha256', encoding: 'base64', content: '{body}' },
    deliveryId: { header: 'x-shopify-webhook-id' },
    event: [{ header: 'x-shopify-topic' }],
  },
};

/** https://developers.intercom.com/docs/webhooks/setting-up-webhooks. The client secret of the app is the key. */
const intercom: WebhookSender = {
  title: 'Intercom',
  secretFrom: 'vendor',
  rule: {
    signature: {
      header: 'x-hub-signature',
      algorithm: 'sha1',
      prefix: 'sha1=',
      encoding: 'hex',
      content: '{body}',
    },
    deliveryId: { field: 'id' },
    event: [{ field: 'topic' }],
    testEvents: ['ping'],
  },
};

/**
 * https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation, v3. The client
 * secret of the app is the key. A delivery is a list of events of several types, so the delivery itself has no type.
 */
const hubspot: WebhookSender = {
  title: 'HubSpot',
  secretFrom: 'vendor',
  rule: {
    signature: {
      ...{ header: 'x-hubspot-signature-v3', encoding: 'base64', content: 'POST{url}{body}{timestamp}' },
    },
    timestamp: {
      ...{ at: { header: 'x-hubspot-request-timestamp' }, unit: 'milliseconds', toleranceSeconds: 300 },
    },
    deliveryId: { field: '0.eventId' },
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
  ...{ github, slack, stripe, linear, pagerduty, zendesk, shopify, intercom, hubspot },
  'standard-webhooks': standardWebhooks,
};
