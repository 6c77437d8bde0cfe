import { z } from 'zod';
import { compactionKinds, compactionModes } from './compaction.ts';
import { creditTextSchema } from './credits.ts';
import { jsonObjectSchema } from './json-value.ts';
import { errorInfoSchema, usageSchema } from './turn.ts';

/** A message as the next model call has it. */
const shownMessageSchema = z.object({
  role: z.enum(['summary', 'user', 'assistant', 'tool']),
  /** The turn that it is of; null for a summary. */
  turnId: z.string().nullable(),
  /** Of a large result of an old turn only a reference, as the model gets it. */
  text: z.string(),
  /** The tool and its arguments, for each call that an answer asked for. */
  toolCalls: z.array(z.object({ name: z.string(), arguments: jsonObjectSchema.nullable() })).optional(),
});

/** One time that the context of a conversation was shortened. */
export const shownCompactionSchema = z.object({
  id: z.string(),
  turnId: z.string(),
  iteration: z.int(),
  kind: z.enum(compactionKinds),
  /** The message that has the summary from then on; null for none. */
  messageId: z.string().nullable(),
  tokensBefore: z.int(),
  tokensAfter: z.int(),
  /** The model that has written the summary; null when none was made. */
  model: z.string().nullable(),
  usage: usageSchema,
  /** The cost of the summary, in credits; null for none, and for a model without a price. */
  credits: creditTextSchema.nullable(),
  error: errorInfoSchema.nullable(),
  createdAt: z.string(),
});
export type ShownCompaction = z.infer<typeof shownCompactionSchema>;

/** The context that the next model call of a conversation would get. */
export const shownContextSchema = z.object({
  agentId: z.string(),
  agentVersionId: z.string(),
  model: z.string(),
  /** The turn that runs, whose next call it is; null when none runs. */
  turnId: z.string().nullable(),
  /** Without canary tokens. */
  instructions: z.string(),
  tools: z.array(z.object({ name: z.string(), description: z.string(), schema: jsonObjectSchema })),
  messages: z.array(shownMessageSchema),
  compaction: z.enum(compactionModes),
  /** The tokens above which the context is shortened before the next call. */
  threshold: z.int(),
  /** The tokens of the next call, without the message that it answers when no turn runs. */
  estimatedTokens: z.int(),
  tokensPerByte: z.number(),
  /** Whether it is too long, so that it is shortened before the next call. */
  isTooLong: z.boolean(),
  leftOut: z.object({
    /** How many turns the messages are without; those of a summary among them. */
    turns: z.int(),
    /** How many results of tools are references. */
    results: z.int(),
  }),
  /** How the context was shortened, the newest first; at most 100. */
  compactions: z.array(shownCompactionSchema),
});
export type ShownContext = z.infer<typeof shownContextSchema>;
