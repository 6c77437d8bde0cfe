import { z } from 'zod';
import { connectionHeaders } from './connection-headers.ts';
import type { FieldError } from './errors.ts';
import { jsonObjectSchema } from './json-value.ts';
import { findModelFacts, modelInputs, reasoningEfforts } from './known-models.ts';

const modelName = z.string().min(1).max(200);

/** A model that is called when the one before it is unreachable. */
export const fallbackModelSchema = z.strictObject({
  model: modelName,
  /** The connection whose key it is called with; null for the operator's key. */
  modelConnectionId: z.uuid().nullable().default(null),
});
export type FallbackModel = z.output<typeof fallbackModelSchema>;

const mostFallbacks = 5;

/** The models that may answer for the first one, in the order in which they are tried. */
export const fallbackModelsSchema = z
  .array(fallbackModelSchema)
  .max(mostFallbacks)
  .describe('Models that are called when the ones before them are away, in this order');

/** Headers that HTTP itself or the vendor's client sets. */
const ownHeaders = new Set<string>([...connectionHeaders, 'idempotency-key']);

/** Matches the names by which vendors and gateways call credentials: `x-api-key`, `cf-aig-authorization`, `Helicone-Auth`. */
const credentialHeader =
  /(?:^|[-_.])(?:auth|(?:api|access)?key)(?:$|[-_.])|authorization|token|secret|password|credential|cookie|signature/;

function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return ownHeaders.has(lower) || /^(?:proxy|content)-/.test(lower) || credentialHeader.test(lower);
}

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/)
  .refine((name) => !isOwnHeader(name), 'expected a header that carries no credentials');

/** How a model is asked; a missing setting has the default of the vendor. */
export const modelSettingsSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
  reasoningEffort: z.enum(reasoningEfforts).optional(),
  reasoningInText: z
    .enum(['tagged', 'open', 'off'])
    .optional()
    .describe(
      'Whether models write reasoning in `<think>` tags in front of their answers: `open` where the server has put the opening tag ' +
        'into the prompt. @default `tagged` for families of models that do so',
    ),
  toolChoice: z
    .union([z.enum(['auto', 'required', 'none']), z.strictObject({ tool: z.string().min(1).max(64) })])
    .optional()
    .describe('`required`, or the name of a tool, holds for the first model call of a turn'),
  parallelToolCalls: z.boolean().optional(),
  promptCaching: z
    .enum(['auto', '1h', 'off'])
    .optional()
    .describe(
      '`off` marks nothing for the cache of the vendor, and names no key of it; `1h` keeps entries for an hour in place of five ' +
        'minutes at vendors that offer it. @default `auto`',
    ),
  structuredOutput: z
    .enum(['native', 'asked'])
    .optional()
    .describe(
      'Whether the vendor holds answers to the `responseSchema` of a turn, or the model is asked for them. @default `native` ' +
        'for known models that have it',
    ),
  takes: z
    .array(z.enum(modelInputs))
    .max(modelInputs.length)
    .optional()
    .describe('The files that models take which Holdfast does not know; without it they get texts and notes'),
  providerOptions: z
    .record(z.string().min(1).max(40), jsonObjectSchema)
    .optional()
    .describe("Options of the AI SDK for single vendors, by the prefix of the vendor's models"),
  headers: z
    .record(
      headerName,
      z
        .string()
        .max(1000)
        .regex(/^[\t\x20-\x7e]*$/),
    )
    .optional(),
});
export type ModelSettings = z.infer<typeof modelSettingsSchema>;

/**
 * The settings of a stored version. Names of headers were checked when it was made: a later rule for them must not make it
 * unreadable.
 */
export const storedModelSettingsSchema = modelSettingsSchema.extend({
  headers: z.record(z.string(), z.string()).optional(),
});

/**
 * Finds the settings that a model does not take. Nothing is found for a model that is not in the list of known ones.
 * `field` is relative to the settings.
 */
export function findModelSettingErrors(model: string, settings: ModelSettings): FieldError[] {
  const facts = findModelFacts(model);
  if (!facts) return [];
  const { temperature, topP, reasoningEffort, maxOutputTokens } = settings;
  const errors: FieldError[] = [];
  if (!facts.sampling) {
    const message = `is not taken by ${model}, which reasons: set reasoningEffort`;
    if (temperature !== undefined) errors.push({ field: 'temperature', message });
    if (topP !== undefined) errors.push({ field: 'topP', message });
  }
  if (reasoningEffort !== undefined && !facts.efforts.includes(reasoningEffort)) {
    const known = facts.efforts.length === 0 ? 'does not reason' : `takes ${facts.efforts.join(', ')}`;
    errors.push({ field: 'reasoningEffort', message: `expected another value: ${model} ${known}` });
  }
  if (maxOutputTokens !== undefined && maxOutputTokens > facts.outputTokens) {
    const message = `expected at most ${facts.outputTokens}, the most that ${model} answers with`;
    errors.push({ field: 'maxOutputTokens', message });
  }
  return errors;
}

/** Returns the settings that a model takes: the others are left out, and a limit above its own is lowered. */
export function fitModelSettings(model: string, settings: ModelSettings): ModelSettings {
  const refused = new Set(findModelSettingErrors(model, settings).map(({ field }) => field));
  if (refused.size === 0) return settings;
  const kept = Object.fromEntries(Object.entries(settings).filter(([name]) => !refused.has(name)));
  const most = refused.has('maxOutputTokens') ? findModelFacts(model)?.outputTokens : undefined;
  return { ...kept, ...(most === undefined ? {} : { maxOutputTokens: most }) };
}
