import { z } from 'zod';
import { groupsSchema } from './actor.ts';
import { jsonObjectSchema } from './json-value.ts';
import { personNameSchema } from './person-name.ts';

/** The types of events that webhooks can be notified of. */
export const webhookEvents = [
  'turn.settled',
  'turn.action_required',
  'action.reminded',
  'action.decided',
  'action.expired',
  'connection.needs_authorization',
  'document.ready',
  'document.failed',
  'budget.warning',
  'inbox.message',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The status of a delivery. It is `cancelled` when its webhook was disabled or deleted before it arrived. */
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const secretPrefix = 'whsec_';
/** The bytes of a secret by Standard Webhooks 1.0. */
const secretBytes = { least: 24, most: 64 };

/** Returns the key in a secret such as `whsec_…`. */
export function toSecretKey(secret: string): Buffer {
  return Buffer.from(secret.slice(secretPrefix.length), 'base64');
}

/** Writes a key as a secret. */
export function toSecret(key: Uint8Array): string {
  return `${secretPrefix}${Buffer.from(key).toString('base64')}`;
}

function isSecret(text: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  const key = toSecretKey(text);
  // The exact text, since libraries differ in what they take as base64.
  return toSecret(key) === text && key.length >= secretBytes.least && key.length <= secretBytes.most;
}

const url = z
  .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
  .max(2000)
  .describe('Where the messages are sent. Redirects are not followed');
const events = z
  .array(z.enum(webhookEvents))
  .min(1)
  .max(webhookEvents.length)
  .transform((names) => [...new Set(names)]);
const secret = z
  .string()
  .max(100)
  .refine(isSecret, 'expected whsec_ and 24 to 64 bytes in base64')
  .optional()
  .describe('Signs the messages; `whsec_` and 24 to 64 bytes in base64. Without it one is made');

/** The events that a channel of Slack is notified of; approvals only. */
export const slackEvents = [
  'turn.action_required',
  'action.decided',
  'action.expired',
] as const satisfies WebhookEvent[];

const slackFields = {
  connectionId: z.uuid().describe('A connection of the provider `slack`'),
  channel: z.string().trim().min(1).max(200).describe('The id of the channel, or its name'),
};
const signingSecret = z
  .string()
  .min(1)
  .max(200)
  .describe('The signing secret of the Slack app, which signs the presses of buttons');

/** The id of a workspace of Slack, or of one of its members. */
const slackId = z.string().regex(/^[A-Z0-9]{1,50}$/, 'expected an id of Slack, such as U2CERLKJA');

/** A member of Slack who may decide in a channel, and the person and groups in whose name they do. */
const slackApproverSchema = z.strictObject({
  teamId: slackId.describe('The workspace of Slack'),
  userId: slackId.describe('Its member'),
  person: personNameSchema.describe('The person in whose name this member decides'),
  groups: groupsSchema.optional().describe('The groups of approvers that the person is in; none by default'),
});
export type SlackApprover = z.infer<typeof slackApproverSchema>;

const approversSchema = z
  .array(slackApproverSchema)
  .max(200)
  .refine(
    (all) => new Set(all.map(({ teamId, userId }) => `${teamId}/${userId}`)).size === all.length,
    'expected each member of Slack once',
  )
  .describe('The people who decide in the channel; without any it only informs');

/** A channel of Slack with its buttons, in place of a URL. */
const slackInput = z.strictObject({ ...slackFields, signingSecret, approvers: approversSchema.optional() });
const slackChange = slackInput
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'expected at least one field');

/** A new webhook: a URL with its events, or a channel of Slack in which people approve calls. */
export const webhookInputSchema = z
  .strictObject({ url: url.optional(), events: events.optional(), secret, slack: slackInput.optional() })
  .superRefine((input, context) => {
    const needed = input.slack ? [] : (['url', 'events'] as const);
    const excluded = input.slack ? (['url', 'events', 'secret'] as const) : [];
    const complain = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    for (const field of needed)
      if (input[field] === undefined) complain(field, 'expected url and events, or slack');
    for (const field of excluded)
      if (input[field] !== undefined) complain(field, 'expected nothing beside slack');
  });
export type WebhookInput = z.output<typeof webhookInputSchema>;

/** A change of a webhook. `enabled: true` takes back what disabled it. */
export const webhookChangeSchema = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    slack: slackChange.optional(),
    enabled: z.boolean().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'expected at least one field');
export type WebhookChange = z.output<typeof webhookChangeSchema>;

const dayMs = 24 * 60 * 60 * 1000;

/** A new secret in place of the present one, which signs along for `overlapMs` more. */
export const secretRotationSchema = z.strictObject({
  secret,
  overlapMs: z
    .int()
    .min(0)
    .max(30 * dayMs)
    .default(dayMs)
    .describe('How long the old secret signs along, in milliseconds; a day by default, at most 30 days'),
});
export type SecretRotation = z.output<typeof secretRotationSchema>;

/** A webhook as the API shows it, without its secret. Times are ISO 8601. */
export const webhookSchema = z.object({
  id: z.string(),
  /** Null for a channel of Slack. */
  url: z.string().nullable(),
  /** Null for a URL. Slack posts the presses of buttons to `/api/slack/interactions/<id of the webhook>`. */
  slack: z.object({ ...slackFields, approvers: z.array(slackApproverSchema) }).nullable(),
  events: z.array(z.enum(webhookEvents)),
  enabled: z.boolean(),
  disabledAt: z.string().nullable(),
  /** Why it was disabled; null while it is enabled. */
  disabledReason: z.string().nullable(),
  /** When the last replaced secret stops signing along; null when none does. */
  oldSecretsUntil: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Webhook = z.infer<typeof webhookSchema>;
/** Where the messages of a channel of Slack are posted. */
export type SlackChannel = Omit<NonNullable<Webhook['slack']>, 'approvers'>;

/** One attempt to deliver a message, and what came back. */
export const deliveryAttemptSchema = z.object({
  at: z.string(),
  durationMs: z.int(),
  /** The HTTP status of the answer; null when there was none. */
  status: z.int().nullable(),
  /** The first 1,024 bytes of the answer, with the secret of the webhook redacted. */
  answer: z.string().nullable(),
  /** Why the attempt failed; null for one that arrived. */
  error: z.string().nullable(),
});
export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>;

/** One message to one webhook, as lists show it. */
export const deliverySchema = z.object({
  /** The `webhook-id` of the message, the same in all attempts. */
  id: z.string(),
  webhookId: z.string(),
  type: z.enum(webhookEvents),
  /** The `data` of the message: ids, statuses and outcomes. */
  data: jsonObjectSchema,
  status: z.enum(deliveryStatuses),
  attemptCount: z.int(),
  createdAt: z.string(),
  /** When the next attempt is due; null when there is none. */
  nextAttemptAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type Delivery = z.infer<typeof deliverySchema>;

/** A delivery with its newest 50 attempts, oldest first. */
export const deliveryDetailsSchema = deliverySchema.extend({ attempts: z.array(deliveryAttemptSchema) });
export type DeliveryDetails = z.infer<typeof deliveryDetailsSchema>;
