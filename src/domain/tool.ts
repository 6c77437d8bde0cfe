import { z } from 'zod';
import type { AttachedConnector } from './connector.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/**
 * The form of `config` for each type of tool. The file in `src/tools` that defines a type adds its entry here by
 * declaration merging, so that `Tool` is the union of all types wherever it is used.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the entries are merged in
export interface ToolConfigs {}

/** The types of tool that an agent may call. */
export type ToolType = keyof ToolConfigs;

/** The name of a type of tool; which names there are is known to `src/tools`. */
export const toolTypeSchema = z.custom<ToolType>(
  (value) => typeof value === 'string',
  'expected a type of tool',
);

/**
 * The effect of calling a tool, which decides whether a call that was cut off may run again:
 * `read_only` and `idempotent` tools and those that take our key (`keyed`) may, `unsafe` ones never.
 */
export const toolEffects = ['read_only', 'idempotent', 'keyed', 'unsafe'] as const;
export type ToolEffect = (typeof toolEffects)[number];

/** JSON values without a depth or shape of their own. */
export const jsonObjectSchema = z.custom<JsonObject>(isJsonObject, 'expected a JSON object');

/** Any JSON value; the one schema of it, since each has a name of its own in the OpenAPI document. */
export const jsonValueSchema = z.json();

/** The settings of an operator for a tool. They win over the hints of the tool's server. */
export const toolSettingsSchema = z.strictObject({
  effect: z.enum(toolEffects).optional(),
  timeoutMs: z.int().min(100).max(600_000).optional(),
  enabled: z.boolean().optional(),
});
export type ToolSettings = z.infer<typeof toolSettingsSchema>;

/** The name of a tool. One that a model's vendor does not take is given to it in another form. */
export const toolNameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9_.:/-]+$/, 'expected letters, digits, "_", "-", ".", ":" and "/" only');

/** The fields that tools of all types have. */
export const toolFields = {
  name: toolNameSchema,
  description: z.string().max(4000),
  schema: jsonObjectSchema,
  settings: toolSettingsSchema.optional(),
};

/** The fields of a tool of one type. */
export interface ToolParts<Type extends ToolType> extends z.infer<z.ZodObject<typeof toolFields>> {
  type: Type;
  config: ToolConfigs[Type];
}

/** A tool of one type as a caller gives it. */
export type ToolInputOf<Type extends ToolType> = { [Each in Type]: ToolParts<Each> }[Type];

/** A tool as a caller gives it. */
export type ToolInput = ToolInputOf<ToolType>;

/** A tool of one type as an agent version keeps it. */
export type ToolOf<Type extends ToolType> = { [Each in Type]: ToolParts<Each> & { id: string } }[Type];

/** A tool as an agent version keeps it. */
export type Tool = ToolOf<ToolType>;

/** The input of a tool when it runs. */
export interface ToolRun<Type extends ToolType = ToolType> {
  workspaceId: string;
  agentId: string;
  conversationId: string;
  turnId: string;
  toolCallId: string;
  tool: ToolOf<Type>;
  /** The connectors of the agent version that the turn runs with. */
  connectors: AttachedConnector[];
  /** All tools of that version. */
  agentTools: Tool[];
  arguments: JsonObject;
  /** The same for every attempt of one call: a tool that takes it takes effect once. */
  idempotencyKey: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** Called whenever the tool reports progress, so that a long call is known to be alive. */
  onProgress: (detail?: JsonValue) => void;
}

/**
 * The result of a tool. `failed` is the tool's own refusal, which the model is told.
 * Every other error is thrown: `ToolInterruptedError` says whether something may have been sent.
 */
export type ToolResult =
  | {
      status: 'succeeded';
      text: string;
      truncatedBytes?: number;
      /** The parts of the result for programs, with references to stored files in place of binary bodies. */
      content?: JsonValue;
    }
  | { status: 'failed'; error: { code: string; message: string; details?: JsonValue } };

/** The result of a tool that failed by its own account. */
export type FailedResult = Extract<ToolResult, { status: 'failed' }>;

/** Keeps binary bodies of results and uploads. */
export interface BlobStore {
  /** Stores bytes and gives the id under which `GET /api/blobs/:id` answers them. */
  put: (blob: NewBlob) => Promise<{ id: string }>;
}

export interface NewBlob {
  workspaceId: string;
  bytes: Uint8Array;
  mediaType: string;
  name?: string;
  turnId?: string;
}

/** Runs a tool. */
export type ToolExecutor = (run: ToolRun) => Promise<ToolResult>;
