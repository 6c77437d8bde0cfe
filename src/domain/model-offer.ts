import { z } from 'zod';
import { modelInputs, reasoningEfforts } from './known-models.ts';
import { modelPriceSchema } from './prices.ts';

/** The kinds of models: those that answer, those that make vectors of texts, and those that make images. */
export const modelKinds = ['language', 'embedding', 'image'] as const;
export type ModelKind = (typeof modelKinds)[number];

/** A model that can be named, and what it lacks to be called with the operator's key: null when it lacks nothing. */
export interface ModelOffer {
  name: string;
  kind: ModelKind;
  warning: string | null;
}

/** A model as the API lists it. */
export const listedModelSchema = z.object({
  name: z.string(),
  vendor: z.string(),
  kind: z.enum(modelKinds),
  configured: z.boolean().describe("Whether it can be called with the operator's key"),
  warning: z.string().nullable().describe('What has to be set before it can be called'),
  capabilities: z
    .object({
      inputTokens: z.int(),
      outputTokens: z.int(),
      takes: z.array(z.enum(modelInputs)).describe('What it takes beside text'),
      structuredOutput: z.boolean(),
      efforts: z.array(z.enum(reasoningEfforts)),
      sampling: z.boolean().describe('Whether temperature and topP can be set'),
    })
    .nullable()
    .describe('Null for a model that is not in the list of known ones'),
  price: modelPriceSchema.nullable(),
  agents: z.int().describe('How many agents of the workspace name it'),
  states: z
    .array(
      z.object({
        connectionId: z.string().nullable().describe("Null for the operator's key"),
        circuit: z.enum(['closed', 'open', 'half_open']),
        failures: z.int(),
        openUntil: z.string().nullable(),
        errorCode: z.string(),
        failedAt: z.string(),
      }),
    )
    .describe('The keys with which it has failed since it last answered'),
});
export type ListedModel = z.infer<typeof listedModelSchema>;
