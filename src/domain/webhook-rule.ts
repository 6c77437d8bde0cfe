import { z } from 'zod';

const header = z
  .string()
  .max(100)
  .regex(/^[a-z0-9-]+$/, 'expected the name of a header in small letters');
const field = z
  .string()
  .max(200)
  .regex(/^[\w-]+(?:\.[\w-]+)*$/, 'expected a path such as event.type');

/** The place of a value in a delivery: a header, or a field of its payload. */
const placeSchema = z.union([z.strictObject({ header }), z.strictObject({ field })]);

const signatureSchema = z.strictObject({
  header: header.describe('The header with the signature'),
  algorithm: z.enum(['sha1', 'sha256', 'sha512']).optional().describe('Of the HMAC; sha256 by default'),
  encoding: z.enum(['hex', 'base64']),
  separator: z
    .string()
    .min(1)
    .max(2)
    .optional()
    .describe('Between the parts of a header that has several, such as signatures by two secrets'),
  prefix: z.string().min(1).max(20).optional().describe('Before a signature in the header, such as sha256='),
  content: z
    .string()
    .max(100)
    .regex(
      /^[^{}]*(?:\{(?:id|timestamp|url|body)\}[^{}]*)*$/,
      'expected {id}, {timestamp}, {url} and {body} only',
    )
    .refine((text) => text.includes('{body}'), 'expected {body}, so that the payload is signed')
    .describe('The signed text, such as {timestamp}.{body}; {url} is the URL of the trigger'),
  key: z
    .enum(['text', 'base64'])
    .optional()
    .describe('Whether the secret is the key itself (default), or has it in base64 behind whsec_'),
});

const timestampSchema = z.strictObject({
  at: z.union([placeSchema, z.strictObject({ signaturePart: z.string().min(1).max(20) })]),
  unit: z.enum(['seconds', 'milliseconds', 'iso']),
  toleranceSeconds: z.int().min(1).max(3600),
});

/** The rule by which a sender signs its deliveries, and where they have their id and the type of their event. */
export const webhookRuleSchema = z
  .strictObject({
    signature: signatureSchema,
    timestamp: timestampSchema
      .optional()
      .describe('When the delivery was signed. Without it only the ids protect against replays'),
    deliveryId: placeSchema.optional().describe('By default a hash of what is signed'),
    event: z.array(placeSchema).max(3).optional().describe('The parts of the type, which are joined by dots'),
    testEvents: z.array(z.string().max(100)).max(10).optional().describe('Types that never start anything'),
    challenge: z
      .strictObject({ type: field, is: z.string().max(100), answer: field })
      .optional()
      .describe('A signed request that asks for a value of its payload, to check the URL'),
    bot: z
      .strictObject({ field, is: z.string().max(100).optional() })
      .optional()
      .describe('The field that tells that a program has caused the event'),
  })
  .superRefine(({ signature: { content }, timestamp, deliveryId }, context) => {
    const complain = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    const isSigned = timestamp && ('field' in timestamp.at || content.includes('{timestamp}'));
    if (timestamp && !isSigned) complain(['timestamp'], 'expected a timestamp that is signed');
    if (content.includes('{timestamp}') && (!timestamp || 'field' in timestamp.at))
      complain(['timestamp'], 'expected the header in which {timestamp} is found');
    if (content.includes('{id}') && !(deliveryId && 'header' in deliveryId))
      complain(['deliveryId'], 'expected the header in which {id} is found');
  });
export type WebhookRule = z.infer<typeof webhookRuleSchema>;
export type RequestLocation = z.infer<typeof placeSchema>;

/** A sender of webhooks: the names by which people know it, and its rule. */
export interface WebhookSender {
  title: string;
  /** Where the secret comes from: the vendor makes it, or the caller that registers the URL chooses it. */
  secretFrom: 'vendor' | 'registration';
  rule: WebhookRule;
}
