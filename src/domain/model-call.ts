import { z } from 'zod';
import { creditTextSchema } from './credits.ts';
import { eventPayloads, fieldErrorSchema } from './event.ts';
import { finishReasons } from './model.ts';
import { recordedSamplingSchema } from './recording.ts';
import { shownCompactionSchema } from './shown-context.ts';
import { failedAttemptSchema, usageSchema } from './turn.ts';

/**
 * Whether an answer is stored; whether it does not satisfy the schema of its turn, so that the model was asked once more; or
 * whether there is none, since all attempts failed so far.
 */
const modelCallStatuses = ['answered', 'rejected', 'unanswered'] as const;

/** The model call of one iteration of a turn: its answer, and what came before it. */
export const turnModelCallSchema = z.object({
  iteration: z.int(),
  status: z.enum(modelCallStatuses),
  /** The first model of the agent that was to answer. */
  askedModel: z.string(),
  /** The model of the agent that has answered; null without an answer. */
  model: z.string().nullable(),
  /** The name that the vendor gives the model that answered. */
  answeredBy: z.string().nullable(),
  /** When the attempt began that was answered, by the clock of the worker; null for answers of older versions and imported ones. */
  startedAt: z.string().nullable(),
  /** How long that attempt took. */
  durationMs: z.int().nullable(),
  /** When the answer was stored. */
  storedAt: z.string().nullable(),
  messageId: z.string().nullable(),
  finishReason: z.enum(finishReasons).nullable(),
  /** `none` when the model had to answer without tools; null when it is not known. */
  toolChoice: z.enum(['auto', 'none']).nullable(),
  /** Null when every setting had the default of the vendor. */
  sampling: recordedSamplingSchema.nullable(),
  /** The names of the enabled tools that the call did not have. */
  leftOutTools: z.array(z.string()),
  /** Calls that messages cut short count too. Zero in a fork, for steps that it has copied. */
  usage: usageSchema.nullable(),
  /** The cost in credits; null for a model without a price, for copied and imported calls, and without an answer. */
  credits: creditTextSchema.nullable(),
  /** The attempts that failed and were made again, of the first 50 of the turn. The last failure is the `error` of the turn. */
  failedAttempts: z.array(failedAttemptSchema.pick({ attempt: true, error: true, failedAt: true })),
  /** The models that the attempt that was answered has passed over, in their order, and why. */
  passed: z.array(eventPayloads['model.passed'].omit({ iteration: true })),
  /** The calls that a message of the user has ended, with estimates of their usage. */
  cutShort: z.array(eventPayloads['model.cut_short'].omit({ iteration: true })),
  /** Why the answer does not satisfy the schema of its turn; null for every other answer. */
  rejectedFor: z.array(fieldErrorSchema).nullable(),
  /** How the context was shortened before the call. */
  compactions: z.array(shownCompactionSchema),
});
export type TurnModelCall = z.infer<typeof turnModelCallSchema>;
