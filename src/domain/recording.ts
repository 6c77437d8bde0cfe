import { z } from 'zod';
import { limitsInputSchema } from './agent.ts';
import { compactionKinds } from './compaction.ts';
import { tagSchema } from './conversation.ts';
import { creditTextSchema } from './credits.ts';
import { dateTimeSchema } from './date-time.ts';
import { jsonObjectSchema, jsonValueSchema } from './json-value.ts';
import { finishReasons } from './model.ts';
import { refusedAnswerSchema } from './response-schema.ts';
import { recordedPartSchema } from './recorded-part.ts';
import { toolEffects } from './tool.ts';
import { toolNameSchema } from './tool-name.ts';
import { errorInfoSchema, toolCallStatuses, usageSchema } from './turn.ts';
import { turnOutcomes } from './turn-status.ts';

/** The version of the format. Readers accept fields that they do not know, and refuse another version. */
export const recordingVersion = 1;

const id = z.string().min(1).max(200);
/** Fields of a file that may be missing, as in one that was written by hand. */
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null);

/** A whole number that a column of the database can hold. */
const count = z.int().min(0).max(2_147_483_647);

const noTokens = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** A message of the user; `parts` is null when it is text only. */
const messageSchema = z.object({
  id: maybe(id),
  text: z.string(),
  parts: maybe(z.array(recordedPartSchema)),
});

/** A tool as the model saw it, without the tools that were switched off. */
const recordedToolSchema = z.object({
  name: toolNameSchema,
  description: z.string().default(''),
  schema: jsonObjectSchema,
  /** Null when the format of an imported file does not say it. */
  type: maybe(z.string()),
  /** The effect that the operator has set; null when the type of the tool decides. */
  effect: maybe(z.enum(toolEffects)),
});
export type RecordedTool = z.infer<typeof recordedToolSchema>;

/** The agent version of a turn. Canary tokens are never part of it. */
const agentSchema = z.object({
  id,
  versionId: maybe(id),
  name: z.string().min(1).max(200),
  version: count.min(1).default(1),
  model: z.string().min(1).max(200),
  instructions: z.string().default(''),
  limits: limitsInputSchema.catchall(z.unknown()).default({}),
  rules: jsonObjectSchema.default({}),
  toolCallsInText: maybe(z.boolean()),
});

/** One tool call, with its result as the model saw it: at most 32,768 characters. */
const recordedCallSchema = z.object({
  id: maybe(id),
  /** The id under which the model knows the call: that of its original for a copy; null for `id`. */
  shownId: maybe(id),
  index: count,
  modelCallId: z.string(),
  name: z.string().min(1).max(200),
  type: maybe(z.string()),
  effect: z.enum(toolEffects).default('unsafe'),
  arguments: maybe(jsonObjectSchema),
  /** The text that the model wrote in place of a JSON object. */
  invalidArguments: maybe(z.string()),
  status: z.enum(toolCallStatuses),
  result: maybe(z.string()),
  /** The length of the whole result. */
  resultBytes: maybe(count),
  error: maybe(errorInfoSchema),
  attempts: count.default(1),
  /** The turn of another agent that ran the call. */
  childTurnId: maybe(id),
  startedAt: maybe(dateTimeSchema),
  endedAt: maybe(dateTimeSchema),
});
export type RecordedCall = z.infer<typeof recordedCallSchema>;

/** The settings of a model call that differ from the defaults of the vendor. */
export const recordedSamplingSchema = z.object({
  temperature: z.number().optional(),
  maxOutputTokens: z.int().optional(),
});

/** One model call: what it got besides the agent version and the turns before, and what it answered. */
const recordedStepSchema = z.object({
  iteration: count.min(1),
  /** The messages that reached the turn while it ran, before this call. */
  messages: z.array(messageSchema).default([]),
  /** `none` when the model had to answer without tools; null when it was not recorded. */
  toolChoice: maybe(z.enum(['auto', 'none'])),
  /** The names of the tools that this call did not have. */
  leftOut: z.array(z.string()).default([]),
  /** The instruction that was added to those of the agent for this call. */
  addedInstructions: maybe(z.string()),
  /** Null when every setting had the default of the vendor. */
  sampling: maybe(recordedSamplingSchema),
  /** The ordinal of the first turn whose messages the model saw; null for the first of the conversation. */
  contextFrom: maybe(count),
  /** The model that was asked, and the name that the vendor gives the one that answered. */
  model: z.string().min(1).max(200),
  answeredBy: z.string().min(1).max(200),
  text: z.string(),
  /** Set for an answer that does not satisfy the schema of its turn, so that the next step has asked again. */
  refused: maybe(refusedAnswerSchema),
  finishReason: z.enum(finishReasons),
  /** Content that the vendor needs back unchanged, such as signed reasoning. */
  providerContent: maybe(jsonValueSchema),
  usage: usageSchema.default(noTokens),
  createdAt: maybe(dateTimeSchema),
  toolCalls: z.array(recordedCallSchema).max(128).default([]),
});
export type RecordedStep = z.infer<typeof recordedStepSchema>;

/** A summary as a model has written it, with its cost in credits; null for a model without a price. */
const recordedSummarySchema = z.object({
  text: z.string(),
  model: z.string().min(1).max(200),
  answeredBy: z.string().min(1).max(200),
  usage: usageSchema.default(noTokens),
  credits: maybe(creditTextSchema.max(18)),
});

/**
 * One time that the context was shortened before a model call of the turn. It says all that holds from that call on, also what an
 * earlier compaction has decided. Ordinals are of turns of the conversation; 0 is before the first.
 */
const recordedCompactionSchema = z.object({
  /** The first model call that saw it. Of several before one call the last one holds. */
  iteration: count.min(1),
  kind: z.enum(compactionKinds),
  /** The first and the last turn that it concerns; null for turns that were removed since. */
  fromTurnId: maybe(id),
  throughTurnId: maybe(id),
  fromOrdinal: count.min(1),
  /** The last turn that is left out or summarized. */
  throughOrdinal: count,
  /** How many characters of the turn after it the summary covers too. */
  throughOffset: count.default(0),
  /** The last turn whose large tool results are references, and how many results became references. */
  referencesThrough: count.default(0),
  references: count.default(0),
  /** The estimated tokens of the model call without it, and with it. */
  tokensBefore: count.default(0),
  tokensAfter: count.default(0),
  /** The summary that stands for the turns that are left out: this one's, or that of an earlier compaction. */
  summaryId: maybe(id),
  /** Null when it made none. */
  summary: maybe(recordedSummarySchema),
  /** The reason why turns were left out in place of being summarized. */
  error: maybe(errorInfoSchema),
  createdAt: maybe(dateTimeSchema),
});
export type RecordedCompaction = z.infer<typeof recordedCompactionSchema>;

const turnFields = {
  id,
  ordinal: z.int().min(1).max(1_000_000),
  outcome: z.enum(turnOutcomes).exclude(['steered']),
  error: maybe(errorInfoSchema),
  answer: maybe(z.string()),
  /** The schema that the final answer satisfies, and that answer as an object. */
  responseSchema: maybe(jsonObjectSchema),
  answerJson: maybe(jsonObjectSchema),
  /** The message that Holdfast added at the end of a turn that no answer of the model ended. */
  closing: maybe(z.string()),
  iterations: count,
  usage: usageSchema,
  /** Whether later turns do not see this one: it was rolled back, or withdrawn before it began. */
  hidden: z.boolean().default(false),
  /** The turn and the tool call of another agent that started this one. */
  parent: maybe(z.object({ turnId: id, toolCallId: maybe(id) })),
  createdAt: dateTimeSchema,
  startedAt: maybe(dateTimeSchema),
  settledAt: maybe(dateTimeSchema),
};

/** One turn that has ended, as a line of a file. */
export const recordingSchema = z.object({
  schemaVersion: z.literal(recordingVersion),
  conversation: z.object({
    id,
    title: maybe(z.string().max(200)),
    tags: z.array(tagSchema).max(20).default([]),
    createdAt: dateTimeSchema,
  }),
  agent: agentSchema,
  tools: z.array(recordedToolSchema).max(2000).default([]),
  turn: z.object(turnFields),
  message: messageSchema,
  steps: z.array(recordedStepSchema).max(1000).default([]),
  compactions: z.array(recordedCompactionSchema).max(1000).default([]),
});

/** One turn that has ended, with everything that its model calls saw. */
export type Recording = z.infer<typeof recordingSchema>;

/** Returns the JSON Schema of a line. */
export function toRecordingJsonSchema(): object {
  const schema = z.toJSONSchema(recordingSchema, {
    io: 'input',
    // The API names schemas in the global registry, and those names would become references.
    metadata: z.registry(),
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === (jsonObjectSchema as unknown)) jsonSchema.type = 'object';
    },
  });
  return { title: 'A turn recorded by Holdfast', ...schema };
}

/** The numbers of lines of a file that were stored, skipped and refused. */
export const importReportSchema = z.object({
  lines: z.int().describe('The number of the last line that was looked at'),
  timedOut: z
    .boolean()
    .describe(
      'True when the time of the request was over before its last line: send the lines after `lines` again',
    ),
  imported: z.int(),
  skipped: z.int().describe('Lines of turns that were imported before'),
  refused: z.int(),
  errors: z
    .array(z.object({ line: z.int(), message: z.string() }))
    .describe('The first 100 lines that were refused, and why'),
  agents: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .describe('The agents that the imported turns belong to'),
});
export type ImportReport = z.infer<typeof importReportSchema>;

/** Which turns to export. A conversation with one turn that fits is exported whole. */
export interface RecordingFilter {
  agentId?: string | undefined;
  /** Created at this time or later. */
  from?: string | undefined;
  /** Created before this time. */
  to?: string | undefined;
  outcome?: string | undefined;
  /** The name of a tool that the turn has called. */
  tool?: string | undefined;
  tag?: string | undefined;
  conversationIds?: string[] | undefined;
  /** So many conversations at random, the same ones for the same seed. */
  sample?: number | undefined;
  seed?: string | undefined;
}
