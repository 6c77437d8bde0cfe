import { z } from 'zod';
import type { AttachedConnector } from './connector.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** The five types of tool that an agent may call. */
export const toolTypes = ['mcp', 'workflow', 'function', 'knowledge_base', 'agent'] as const;
export type ToolType = (typeof toolTypes)[number];

/**
 * What calling a tool does to the world, which decides whether a call that was cut off may run again:
 * `read_only` and `idempotent` tools and those that take our key (`keyed`) may, `unsafe` ones never.
 */
export const toolEffects = ['read_only', 'idempotent', 'keyed', 'unsafe'] as const;
export type ToolEffect = (typeof toolEffects)[number];

/** JSON values without a depth or shape of their own. */
export const jsonObjectSchema = z.custom<JsonObject>(isJsonObject, 'expected a JSON object');

/** Any JSON value; the one schema of it, since each has a name of its own in the OpenAPI document. */
export const jsonValueSchema = z.json();

/** Where a tool leads; which fields are needed depends on its type. */
export const toolConfigSchema = z.strictObject({
  workflowId: z.string().max(200).optional(),
  functionName: z.string().max(200).optional(),
  knowledgeBaseId: z.string().max(200).optional(),
  agentId: z.string().max(200).optional(),
  agentName: z.string().max(200).optional(),
  connectionId: z.string().max(200).optional(),
  provider: z.string().max(200).optional(),
  /** The connector that the tool was provisioned from. */
  connectorId: z.string().max(200).optional(),
  /** The name of a server in the operator's MCP catalogue. */
  server: z.string().max(200).optional(),
  /** The name the tool has on its server; without it the tool's own name. */
  tool: z.string().max(200).optional(),
  /** Makes this the one tool `mcp` through which all tools of `servers` are listed and called. */
  gateway: z.boolean().optional(),
  /** Names of the agent's connectors, of connections or of catalogue servers; without them all connectors of the agent. */
  servers: z.array(z.string().max(200)).max(100).optional(),
  /** Answers with the id of the run at once instead of waiting for its end; for tools of type `workflow`. */
  detach: z.boolean().optional(),
  /** The image model that `generate_image` uses, such as `openai/gpt-image-1`. */
  model: z.string().max(200).optional(),
});
export type ToolConfig = z.infer<typeof toolConfigSchema>;

/** What an operator decides about a tool; wins over the hints of the tool's server. */
export const toolSettingsSchema = z.strictObject({
  effect: z.enum(toolEffects).optional(),
  timeoutMs: z.int().min(100).max(600_000).optional(),
  enabled: z.boolean().optional(),
});
export type ToolSettings = z.infer<typeof toolSettingsSchema>;

/** A tool as a caller gives it. A name that a model's vendor does not take is given to it in another form. */
export const toolInputSchema = z.strictObject({
  type: z.enum(toolTypes),
  name: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[A-Za-z0-9_.:/-]+$/, 'expected letters, digits, "_", "-", ".", ":" and "/" only'),
  description: z.string().max(4000),
  schema: jsonObjectSchema,
  config: toolConfigSchema,
  settings: toolSettingsSchema.optional(),
});
export type ToolInput = z.infer<typeof toolInputSchema>;

/** A tool as an agent version keeps it. */
export const toolSchema = toolInputSchema.extend({ id: z.string() });
export type Tool = z.infer<typeof toolSchema>;

/** What a tool is given when it runs. */
export interface ToolRun {
  workspaceId: string;
  agentId: string;
  conversationId: string;
  turnId: string;
  toolCallId: string;
  tool: Tool;
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
 * What came of running a tool. `failed` is the tool's own "no", told to the model.
 * Anything that broke is thrown: `ToolInterruptedError` says whether something may have been sent.
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

/** A tool's "no". */
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

/** Runs the tools of one type. */
export type ToolExecutor = (run: ToolRun) => Promise<ToolResult>;
