import { z } from 'zod';
import { groupsSchema } from './actor.ts';
import { approvalModes } from './approval.ts';
import type { AttachedConnector } from './connector.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { jsonObjectSchema } from './json-value.ts';
import type { CallDialogue, CallRequest } from './question.ts';
import type { NamedConnection } from './rules.ts';
import { cutDescription } from './tool-description.ts';
import { toolNameSchema } from './tool-name.ts';

/**
 * The type of `config` for each type of tool. The file in `src/engines/tools` that defines a type adds its entry here by
 * declaration merging, so that `Tool` is the union of all types wherever it is used.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the entries are merged in
export interface ToolConfigs {}

/** The types of tool that an agent may call. */
export type ToolType = keyof ToolConfigs;

/** The name of a type of tool. The list of the names is in `src/engines/tools`. */
export const toolTypeSchema = z.custom<ToolType>(
  (value) => typeof value === 'string',
  'expected a type of tool',
);

/**
 * The effect of calling a tool, which decides whether an interrupted call may run again: calls of `read_only`,
 * `idempotent` and `keyed` tools (which accept an idempotency key) may, calls of `unsafe` tools never.
 */
export const toolEffects = ['read_only', 'idempotent', 'keyed', 'unsafe'] as const;
export type ToolEffect = (typeof toolEffects)[number];

/** The settings of an operator for a tool. They override the hints of the server of the tool. */
export const toolSettingsSchema = z.strictObject({
  effect: z.enum(toolEffects).optional(),
  timeoutMs: z.int().min(100).max(600_000).optional(),
  /**
   * How long after the end of its turn a call with an unknown outcome is made again with the same key, so that its outcome
   * becomes known; for `keyed` and `idempotent` tools only. @default such a call stays `unknown`
   */
  settleAfterMs: z.int().min(1_000).max(86_400_000).optional(),
  enabled: z.boolean().optional(),
  /** Whether a person has to approve each call. Without it the effect of the tool and the workspace decide. */
  approval: z.enum(approvalModes).optional(),
  /** Asks for each call whose arguments match this JSON Schema, also where `approval` does not. */
  approvalWhen: jsonObjectSchema.optional(),
  /** The groups of approvers one of which has to decide. @default everybody with the scope may */
  approvers: groupsSchema.optional(),
  /** False when the people who asked for a call may not decide about it. @default true */
  selfApproval: z.boolean().optional(),
  /** The cost of a call that took effect, or may have, in credits as decimal text. @default the cost that the tool reports */
  credits: z
    .string()
    .regex(/^[0-9]{1,15}$/, 'expected a whole number of credits as text')
    .optional(),
});
export type ToolSettings = z.infer<typeof toolSettingsSchema>;

/** The fields that tools of all types have. */
export const toolFields = {
  name: toolNameSchema,
  description: z.string().overwrite(cutDescription).describe('The first 4,000 characters are kept'),
  schema: jsonObjectSchema,
  settings: toolSettingsSchema.optional(),
};

/** The fields of a tool of one type. */
export interface ToolParts<Type extends ToolType> extends z.infer<z.ZodObject<typeof toolFields>> {
  type: Type;
  config: ToolConfigs[Type];
}

/** A new tool of one type. */
export type ToolInputOf<Type extends ToolType> = { [Each in Type]: ToolParts<Each> }[Type];

/** A new tool of any type. */
export type ToolInput = ToolInputOf<ToolType>;

/** The fields that are known without the caller where the type of a tool can look them up. */
type CompletedField = 'description' | 'schema' | 'config';

/** A new tool of one type as a caller gives it: fields that the type completes may be missing. */
export type ToolDraftOf<Type extends ToolType> = {
  [Each in Type]: Omit<ToolParts<Each>, CompletedField> & Partial<Pick<ToolParts<Each>, CompletedField>>;
}[Type];

/** A new tool of any type as a caller gives it. */
export type ToolDraft = ToolDraftOf<ToolType>;

/** A tool of one type in an agent version. */
export type ToolOf<Type extends ToolType> = { [Each in Type]: ToolParts<Each> & { id: string } }[Type];

/** A tool of any type in an agent version. */
export type Tool = ToolOf<ToolType>;

/** The place that a call leads to. Two tools with the same place call the same thing, whatever their names are. */
export interface Place {
  type: 'connection' | 'server' | 'client' | Exclude<ToolType, 'mcp'>;
  id: string;
  /** The names of the tool on its server. A provider has two: `slack_sendMessage` and `sendMessage`. */
  tools: string[];
}

/** A tool of an agent version, with where its calls lead and all names under which rules know it. */
export interface ResolvedTool {
  tool: Tool;
  /** Whether it is the gateway to the tools of other servers: where a call leads is in its arguments. */
  isGateway: boolean;
  /** The name of the connector, server or provider that answers; null for what runs here, and for a gateway. */
  server: string | null;
  place: Place | null;
  /** `server:tool`; null without a server. */
  id: string | null;
  /** All names `server:tool`, with `id` first. */
  ids: string[];
  /** The entries of allowlists that have it. */
  listed: string[];
}

/** The tools of an agent version, each resolved once, with the connectors and connections that they were resolved with. */
export interface Toolbox {
  tools: readonly ResolvedTool[];
  connectors: AttachedConnector[];
  /** The stored connections whose names count: those that a call may lead to. */
  connections: readonly NamedConnection[];
}

/** The input of a tool when it runs. */
export interface ToolRun<Type extends ToolType = ToolType> {
  workspaceId: string;
  agentId: string;
  conversationId: string;
  turnId: string;
  toolCallId: string;
  tool: ToolOf<Type>;
  /** The tools and connectors of the agent version that the turn runs with. */
  toolbox: Toolbox;
  arguments: JsonObject;
  /** The idempotency key of the call. All attempts have the same key, so a tool that accepts it takes effect once. */
  idempotencyKey: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** The tool calls it when it makes progress, which shows that a long call is alive. */
  onProgress: (detail?: JsonValue) => void;
  /** Lets an MCP server ask people; without it the server gets no answers. */
  dialogue?: CallDialogue;
}

/** The cost of a call: a whole number of credits (millionths of a US dollar) as decimal text. */
export const creditsSchema = z.string().regex(/^[0-9]{1,15}$/, 'expected a whole number of credits');

/**
 * The result of a tool. `failed` is a refusal by the tool itself, which the model receives as the result. Every other
 * error is thrown; `ToolInterruptedError` has whether the request may have been sent.
 */
export type ToolResult = SuccessfulResult | FailedResult;

interface ChargedResult {
  /** The credits that the call has cost, as decimal text. @default none */
  creditsUsed?: string;
}

/** The result of a tool that did its work. */
export interface SuccessfulResult extends ChargedResult {
  status: 'succeeded';
  text: string;
  truncatedBytes?: number;
  /** The parts of the result for programs; the ids of stored files replace binary data. */
  content?: JsonValue;
}

/** The result of a tool that reported a failure. */
export interface FailedResult extends ChargedResult {
  status: 'failed';
  error: { code: string; message: string; details?: JsonValue };
}

/** A tool call that waits for answers of people or programs: its requests are stored as pending actions. */
export interface ToolWait {
  status: 'waits';
  requests: CallRequest[];
}

/** The result of running a tool: how the call ended, or what it waits for. */
export type ToolOutcome = ToolResult | ToolWait;

/** Stores and reads the files that tools return: the binary data of their results. */
export interface ResultFileStore {
  /**
   * Stores bytes and returns the id for `GET /api/blobs/:id`. The type of images and PDFs is found by their content.
   * @throws HoldfastError `FILE_REFUSED` by the virus scan, or `SERVICE_UNAVAILABLE`
   */
  put: (file: NewResultFile) => Promise<{ id: string }>;
  /** Reads a stored file. @throws HoldfastError `NOT_FOUND`, also for a file of another workspace */
  get: (file: { workspaceId: string; id: string }) => Promise<StoredFile>;
}

/** A file with its bytes. */
export interface StoredFile {
  name: string | null;
  mediaType: string;
  bytes: Uint8Array;
}

export interface NewResultFile {
  workspaceId: string;
  bytes: Uint8Array;
  mediaType: string;
  name?: string;
  turnId?: string;
  /** @default as long as it takes */
  signal?: AbortSignal;
}

/** Runs a tool. */
export type ToolExecutor = (run: ToolRun) => Promise<ToolOutcome>;
