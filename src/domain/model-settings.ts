import { z } from 'zod';
import { connectionHeaders } from './connection-headers.ts';
import type { FieldError } from './errors.ts';
import { jsonObjectSchema } from './json-value.ts';
import { findModelFacts, reasoningEfforts } from './known-models.ts';

const modelName = z.string().min(1).max(200);

/** A model that is called when the one before it is away. */
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

const keyHeaders = ['api-key', 'authorization', 'cookie', 'idempotency-key', 'x-api-key', 'x-goog-api-key'];

/** Headers that HTTP itself or the vendor's client sets, and those that carry credentials. */
const ownHeaders = new Set<string>([...connectionHeaders, ...keyHeaders]);

function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return ownHeaders.has(lower) || /^(?:proxy|content)-/.test(lower);
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
  toolChoice: z
    .union([z.enum(['auto', 'required', 'none']), z.strictObject({ tool: z.string().min(1).max(64) })])
    .optional()
    .describe('`required`, or the name of a tool, holds for the first model call of a turn'),
  parallelToolCalls: z.boolean().optional(),
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
