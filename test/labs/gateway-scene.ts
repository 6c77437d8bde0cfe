import type { AttachedConnector } from '../../src/domain/connector.ts';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import type { Tool, ToolConfigs, ToolResult } from '../../src/domain/tool.ts';
import { newId } from '../../src/lib/ids.ts';
import { textResult, type ScriptedTool } from '../servers/mcp-servers.ts';
import { connectorTo, createMcpScene, runOf, serveTools } from './mcp-scene.ts';

/** A tool that returns its arguments. */
export const echo: ScriptedTool = ({ arguments: input }) => textResult(JSON.stringify(input));

/** The schema of `search_statute`. */
export const querySchema = {
  type: 'object',
  properties: { query: { type: 'string' }, limit: { type: 'number' } },
  required: ['query'],
};

type Scene = ReturnType<typeof createMcpScene>;

interface GatewayParts {
  config?: ToolConfigs['mcp'];
  connectors?: AttachedConnector[];
  agentTools?: Tool[];
}

/** The id of the gateway as a tool of its agent. */
export const gatewayId = newId();

/** Returns a function that calls the gateway of an agent. */
export function gatewayOf(scene: Scene, { config, connectors = [], agentTools = [] }: GatewayParts = {}) {
  const tool = { id: gatewayId, name: 'mcp', config: { gateway: true, ...config } };
  return (toolArguments: JsonObject): Promise<ToolResult> =>
    scene.run(runOf(tool, toolArguments, { connectors, agentTools }));
}

/** Starts two servers with a connector each, the first of which allows only one tool. */
export async function startGatewayScene() {
  const legal = await serveTools(
    { search_statute: echo, delete_statute: echo },
    { definitions: { search_statute: { description: 'Search Korean statutes', inputSchema: querySchema } } },
  );
  const database = await serveTools({ query: echo });
  const scene = createMcpScene();
  const connectors = [
    connectorTo(scene.connect(legal.url, 'legal connection'), 'kr-legal', ['search_statute']),
    connectorTo(scene.connect(database.url, 'database connection'), 'database', ['query']),
  ];
  return { scene, legal, database, connectors, gateway: gatewayOf(scene, { connectors }) };
}

/** Parses the text of a result as JSON. */
export function jsonOf(result: ToolResult): JsonValue {
  if (result.status === 'failed') throw new Error(result.error.message);
  return JSON.parse(result.text) as JsonValue;
}
