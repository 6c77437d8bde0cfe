import { z } from 'zod';
import type { JsonObject } from './json.ts';
import type { RuleViolation } from './rules.ts';
import type { Tool } from './tool.ts';
import { jsonObjectSchema, jsonValueSchema } from './json-value.ts';

/** A tool that a connection offers, as the API lists it. */
export const discoveredToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: jsonObjectSchema,
  /** The name of the operation, or of the tool of the server, that a call runs. */
  executeRef: z.string(),
  /** The invisible and control characters of its definition, such as `U+200B`; models are not given them. */
  hiddenCharacters: z.array(z.string()).optional(),
});
export type DiscoveredTool = z.infer<typeof discoveredToolSchema>;

/** The parts of a tool's definition that its pin covers. */
export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations?: JsonObject;
}

/** A tool of a server whose definition cannot be used, and the reason. */
export const leftOutToolSchema = z.object({
  /** `tools[<index>]` for a definition without a name. */
  name: z.string(),
  reason: z.string(),
});
export type LeftOutTool = z.infer<typeof leftOutToolSchema>;

/** Returns the end of a sentence that says that a tool was not found: why its definition is left out, if it is. */
export function whyLeftOut(leftOut: readonly LeftOutTool[], name: string): string {
  const found = leftOut.find((tool) => tool.name === name);
  return found ? `, since its definition cannot be used: ${found.reason}` : '';
}

/** Lists the tools of connections, and tests connections. */
export interface ToolDiscovery {
  /**
   * Lists the tools of a connection. Those of an MCP server are requested from the server now.
   * @throws HoldfastError `CONNECTION_…` codes, `TOOL_UNREACHABLE` when an MCP server does not answer
   */
  listConnectionTools: (connection: {
    workspaceId: string;
    connectionId: string;
  }) => Promise<ConnectionTools>;
  /** Tests a connection with a request to its server; an error answer is a result, not an exception. */
  testConnection: (connection: { workspaceId: string; connectionId: string }) => Promise<ConnectionTest>;
}

/** The tools of a connection. */
export interface ConnectionTools {
  connectionId: string;
  connectionName: string;
  provider: string;
  /** Operations of providers have their annotations here, tools of MCP servers in their definitions. */
  tools: (DiscoveredTool & Pick<ToolDefinition, 'annotations'>)[];
  /** The definitions that pins are computed from, by `DiscoveredTool.name`; only for MCP servers. */
  definitions: ReadonlyMap<string, ToolDefinition>;
  /** The tools of its MCP server that cannot be used. */
  leftOut: LeftOutTool[];
}

/** The result of a test of a connection. */
export const connectionTestSchema = z.object({
  ok: z.boolean(),
  /** The answer of the server, or the reason why the server could not be called. */
  message: z.string(),
  durationMs: z.int(),
});
export type ConnectionTest = z.infer<typeof connectionTestSchema>;

/** Whether the definition of a tool is still the accepted one. */
export const toolStateSchema = z.object({
  status: z.enum(['active', 'disabled', 'quarantined']),
  /** SHA-256 of the definition that was accepted; null for tools that are not pinned. */
  pinnedHash: z.string().nullable(),
  /** The server's present definition, when it differs from the accepted one. */
  drift: z
    .object({
      hash: z.string(),
      detectedAt: z.string(),
      /** The parts that changed, each before and after; invisible characters are shown by their code, as `⟨U+200B⟩`. */
      changes: z.array(z.object({ path: z.string(), before: jsonValueSchema, after: jsonValueSchema })),
    })
    .nullable(),
});
export type ToolState = z.infer<typeof toolStateSchema>;

/** A tool that was called through a gateway, and whether its definition is still that of the first call. */
export const innerToolSchema = z.object({
  /** `server:tool`, as rules name it. */
  target: z.string(),
  state: toolStateSchema,
});
export type InnerTool = z.infer<typeof innerToolSchema>;

/** A tool that is about to be called, and its server's present definition of it. */
export interface PinCheck {
  workspaceId: string;
  agentId: string;
  tool: Pick<Tool, 'id' | 'name'>;
  /** `server:tool` when `tool` is a gateway; each tool behind it has its own pin. */
  target?: string;
  definition: ToolDefinition;
}

/** Compares tools with their pinned definitions. */
export interface ToolPins {
  /**
   * Compares a definition with the pinned one, and pins it when there is none. Returns null when they are equal.
   * Otherwise it quarantines the tool, and the call must not be sent.
   */
  check: (check: PinCheck) => Promise<RuleViolation | null>;
  /** Lists the ids of the quarantined tools of an agent, including the tools behind its gateways. */
  listQuarantined: (agent: Pick<PinCheck, 'workspaceId' | 'agentId'>) => Promise<ReadonlySet<string>>;
}
