import { z } from 'zod';
import { storedWorkFields } from '../../domain/stored-work.ts';
import { jsonValueSchema } from '../../domain/json-value.ts';
import { errorInfoSchema } from '../../domain/turn.ts';
import { webhookRuleSchema } from '../../domain/webhook-rule.ts';

/** A jq program over the payload. */
const program = z.string().trim().min(1).max(4000);

/** A text in which `{{ program }}` stands for the value of a jq program over the payload. */
const template = z.string().min(1);

const turnActionSchema = z.strictObject({
  kind: z.literal('turn'),
  agentId: z.uuid().optional().describe('Begins conversations with this agent'),
  conversationKey: template
    .max(2000)
    .optional()
    .describe(
      'Deliveries with the same value of this template are turns of one conversation. Without it each begins its own',
    ),
  conversationId: z.uuid().optional().describe('All deliveries are turns of this conversation'),
  message: template
    .max(20_000)
    .optional()
    .describe(
      'A template: `{{ .issue.title }}` stands for a value of the payload. By default the whole payload',
    ),
  actingFor: template
    .max(1000)
    .optional()
    .describe('A template that names the person who caused the event, such as `slack:{{ .event.user }}`'),
});

/** The work that a delivery starts: a turn, or a run of a routine. */
export const triggerActionSchema = z.discriminatedUnion('kind', [
  turnActionSchema
    .refine(
      ({ agentId, conversationId }) => (agentId === undefined) !== (conversationId === undefined),
      'expected either agentId or conversationId',
    )
    .refine(
      ({ agentId, conversationKey }) => agentId !== undefined || conversationKey === undefined,
      'expected agentId beside conversationKey',
    ),
  z.strictObject({
    kind: z.literal('routine'),
    routineId: z.uuid(),
    input: program
      .optional()
      .describe('A jq program that makes the input. By default the payload is the input'),
  }),
]);
export type TriggerAction = z.infer<typeof triggerActionSchema>;
export type TriggeredTurn = Extract<TriggerAction, { kind: 'turn' }>;

const eventFilter = z
  .string()
  .max(200)
  .regex(/^(?:\*|[^\s*]+?(?:\.\*)?)$/, 'expected a type such as issues.opened, issues.* or *');

const secret = z
  .string()
  .min(8)
  .max(500)
  .regex(/^[\x21-\x7e]+$/, 'expected letters, digits and signs without spaces');

const fields = {
  name: z.string().trim().min(1).max(200),
  events: z
    .array(eventFilter)
    .min(1)
    .max(100)
    .describe('The types of events that start something; `issues.*` means all that begin so, `*` all'),
  filter: program.nullable().describe('A jq program over the payload; null and false let nothing start'),
  includeBots: z
    .boolean()
    .describe('Whether events that a program has caused start something too; beware of loops'),
  action: triggerActionSchema,
  maxPerMinute: z.int().min(1).max(6000).describe('Further deliveries are refused with 429'),
  paused: z.boolean().describe('Deliveries are answered, and start nothing'),
};

/** A new trigger. */
export const triggerInputSchema = z
  .strictObject({
    ...fields,
    provider: z.string().min(1).max(50).describe('The sender, such as github; or `custom` with a rule'),
    rule: webhookRuleSchema.optional().describe('How a `custom` sender signs'),
    filter: fields.filter.default(null),
    includeBots: fields.includeBots.default(false),
    maxPerMinute: fields.maxPerMinute.default(120),
    paused: fields.paused.default(false),
    secret: secret
      .optional()
      .describe(
        'Signs the deliveries. Without it one is made, unless the vendor makes it: then set it later',
      ),
  })
  .refine(({ provider, rule }) => (provider === 'custom') === (rule !== undefined), {
    path: ['rule'],
    message: 'expected a rule for the provider custom, and none for others',
  });
export type TriggerInput = z.output<typeof triggerInputSchema>;

/** A change of a trigger: what is named is replaced, the rest stays. */
export const triggerChangeSchema = z
  .strictObject(fields)
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'expected at least one field');
export type TriggerChange = z.infer<typeof triggerChangeSchema>;

const dayMs = 24 * 60 * 60 * 1000;

/** A new secret in place of the present one, by which deliveries may be signed for `overlapMs` more. */
export const triggerSecretSchema = z.strictObject({
  secret: secret.optional().describe('Without it one is made, unless the vendor makes it'),
  overlapMs: z
    .int()
    .min(0)
    .max(30 * dayMs)
    .default(dayMs)
    .describe('How long the old secret counts, in milliseconds; a day by default, at most 30 days'),
});
export type TriggerSecret = z.output<typeof triggerSecretSchema>;

/** A trigger as the API shows it, without its secret. Times are ISO 8601. */
export const triggerSchema = z.object({
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  rule: webhookRuleSchema.nullable().describe('Null for a sender whose rule Holdfast knows'),
  /** The URL to register with the vendor. */
  url: z.string(),
  events: z.array(z.string()),
  filter: z.string().nullable(),
  includeBots: z.boolean(),
  action: triggerActionSchema,
  maxPerMinute: z.int(),
  paused: z.boolean(),
  /** False until the secret that the vendor makes is set: all deliveries are refused. */
  hasSecret: z.boolean(),
  /** When the last secret that was replaced stops to count; null when none does. */
  oldSecretsUntil: z.string().nullable(),
  ...storedWorkFields,
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Trigger = z.infer<typeof triggerSchema>;

/**
 * The status of a delivery: `accepted` until it has started something, `ignored` by a filter, `failed` when it could start
 * nothing, `refused` without a valid signature.
 */
export const triggerDeliveryStatuses = ['accepted', 'started', 'ignored', 'failed', 'refused'] as const;
export type TriggerDeliveryStatus = (typeof triggerDeliveryStatuses)[number];

/** One delivery to a trigger. */
export const triggerDeliverySchema = z.object({
  id: z.string(),
  triggerId: z.string(),
  /** The id that the sender gave it; null for one without an id, and for a refused one. */
  deliveryId: z.string().nullable(),
  event: z.string().nullable(),
  status: z.enum(triggerDeliveryStatuses),
  /** Why it was ignored or refused; null otherwise. Requests that are refused for one reason are listed once a minute. */
  reason: z.string().nullable(),
  /** Why it failed, or why its start is tried again. */
  error: errorInfoSchema.nullable(),
  conversationId: z.string().nullable(),
  turnId: z.string().nullable(),
  routineRunId: z.string().nullable(),
  /** How often the same delivery came again; none of them has started anything. */
  duplicates: z.int(),
  receivedAt: z.string(),
  endedAt: z.string().nullable(),
});
export type TriggerDelivery = z.infer<typeof triggerDeliverySchema>;

/** A delivery with its payload, which is kept for three days and is null afterwards. */
export const triggerDeliveryDetailsSchema = triggerDeliverySchema.extend({
  payload: jsonValueSchema.nullable(),
});
export type TriggerDeliveryDetails = z.infer<typeof triggerDeliveryDetailsSchema>;
