import { z } from 'zod';
import type { JsonObject } from './json.ts';
import type { RuleViolation } from './rules.ts';
import { jsonObjectSchema, jsonValueSchema, type Tool } from './tool.ts';

/** A tool of a connection as the front end's dialog is given it. */
export const discoveredToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: jsonObjectSchema,
  /** The name of the operation or of the server's tool that runs when it is called. */
  executeRef: z.string(),
});
export type DiscoveredTool = z.infer<typeof discoveredToolSchema>;

/** Everything of a tool's definition that its pin covers. */
export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations?: JsonObject;
}

/** Finds out what tools a connection offers. */
export interface ToolDiscovery {
  /**
   * The tools of a connection, those of an MCP server asked for now.
   * @throws HoldfastError `CONNECTION_…` codes, `TOOL_UNREACHABLE` when an MCP server does not answer
   */
  listConnectionTools: (connection: {
    workspaceId: string;
    connectionId: string;
  }) => Promise<ConnectionTools>;
  /** Really calls the other side. Never throws for its answer. */
  testConnection: (connection: { workspaceId: string; connectionId: string }) => Promise<ConnectionTest>;
}

export interface ConnectionTools {
  connectionId: string;
  connectionName: string;
  provider: string;
  tools: DiscoveredTool[];
  /** What the pins are made from, by `DiscoveredTool.name`; only for MCP servers. */
  definitions: ReadonlyMap<string, ToolDefinition>;
}

export const connectionTestSchema = z.object({
  ok: z.boolean(),
  /** What the other side answered, or why it could not be asked. */
  message: z.string(),
  durationMs: z.int(),
});
export type ConnectionTest = z.infer<typeof connectionTestSchema>;

/** Whether an added tool is still what it was when it was added. */
export const toolStateSchema = z.object({
  status: z.enum(['active', 'disabled', 'quarantined']),
  /** SHA-256 of the definition that was accepted; null for tools that are not pinned. */
  pinnedHash: z.string().nullable(),
  /** What its server says now, when that is something else. */
  drift: z
    .object({
      hash: z.string(),
      detectedAt: z.string(),
      /** The parts that changed, each before and after. */
      changes: z.array(z.object({ path: z.string(), before: jsonValueSchema, after: jsonValueSchema })),
    })
    .nullable(),
});
export type ToolState = z.infer<typeof toolStateSchema>;

/** A tool that was called through a gateway, and whether it is still what it was at the first call. */
export const innerToolSchema = z.object({
  /** `server:tool`, as rules name it. */
  target: z.string(),
  state: toolStateSchema,
});
export type InnerTool = z.infer<typeof innerToolSchema>;

/** A tool that is about to be called, and what its server says of it now. */
export interface PinCheck {
  workspaceId: string;
  agentId: string;
  tool: Pick<Tool, 'id' | 'name'>;
  /** `server:tool` when the call goes through the gateway that `tool` is; each has a pin of its own. */
  target?: string;
  definition: ToolDefinition;
}

/** Keeps tools to the definition that they were added with. */
export interface ToolPins {
  /**
   * Null when the definition is the pinned one, or is pinned by this call because none was before; otherwise the tool
   * is quarantined from now on, and nothing may be sent.
   */
  check: (check: PinCheck) => Promise<RuleViolation | null>;
  /** The ids of an agent's quarantined tools, and those under which tools behind its gateways are pinned. */
  listQuarantined: (agent: Pick<PinCheck, 'workspaceId' | 'agentId'>) => Promise<ReadonlySet<string>>;
}
