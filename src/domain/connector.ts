import { z } from 'zod';
import { connectionAuthSchema } from './connection.ts';
import { jsonObjectSchema } from './json-value.ts';
import { toolNameSchema } from './tool-name.ts';

const toolNames = z.array(toolNameSchema).max(1000);

/** The name of a connector, which is `server` in `server:tool`. */
const connectorNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'expected letters, digits, "_", "." and "-"');

/** The short form of auth: a key that is sent as a bearer token. */
const apiKeyAuthSchema = z
  .strictObject({ api_key: z.string().min(1).max(20_000) })
  .transform(({ api_key: token }) => ({ type: 'bearer' as const, token }));

/** A new connector: an MCP server, and the names of its tools that agents may use. */
export const connectorInputSchema = z.strictObject({
  name: connectorNameSchema,
  type: z.literal('mcp').default('mcp'),
  endpoint: z.url({ protocol: /^https?$/ }).max(2000),
  auth: z.union([apiKeyAuthSchema, connectionAuthSchema]).default({ type: 'none' }),
  tools: toolNames,
});
export type ConnectorInput = z.infer<typeof connectorInputSchema>;

/** A connector as the API shows it, with its auth masked. */
export const connectorSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.literal('mcp'),
  endpoint: z.string(),
  auth: jsonObjectSchema,
  tools: z.array(z.string()),
  /** The connection that keeps its credentials. */
  connectionId: z.string(),
  createdAt: z.string(),
});
export type Connector = z.infer<typeof connectorSchema>;

/** A connector of an agent: without `connections:read` its endpoint is null and its auth empty. */
export const shownConnectorSchema = connectorSchema.extend({ endpoint: z.string().nullable() });
export type ShownConnector = z.infer<typeof shownConnectorSchema>;

/** A connector as an agent version keeps it. */
export const attachedConnectorSchema = shownConnectorSchema.pick({
  id: true,
  name: true,
  type: true,
  endpoint: true,
  tools: true,
  connectionId: true,
});
export type AttachedConnector = z.infer<typeof attachedConnectorSchema>;

/** Finds the connector of a tool that names none: the only one whose `tools` contain its name. */
export function resolveConnector(
  connectors: AttachedConnector[],
  tool: string,
): AttachedConnector | undefined {
  const [found, ...others] = connectors.filter(({ tools }) => tools.includes(tool));
  return others.length === 0 ? found : undefined;
}

/** The configuration of an agent, as it was last provisioned. */
export const agentConfigurationSchema = z.object({
  agentId: z.string(),
  /** The agent version that has this configuration. */
  version: z.int(),
  config: jsonObjectSchema,
  tool_allowlist: z.array(z.string()).nullable(),
  tool_policies: z.record(z.string(), jsonObjectSchema),
  canary_tokens: z.array(z.string()),
  connectors: z.array(
    z.object({
      name: z.string(),
      type: z.literal('mcp'),
      endpoint: z.string().nullable(),
      auth: jsonObjectSchema,
      tools: z.array(z.string()),
    }),
  ),
});
export type AgentConfiguration = z.infer<typeof agentConfigurationSchema>;
