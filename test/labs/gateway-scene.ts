import type { AttachedConnector } from '../../src/domain/connector.ts';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import type { Tool, ToolConfigs, ToolOutcome } from '../../src/domain/tool.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { textResult, type ScriptedTool } from '../servers/mcp-servers.ts';
import { createConnectorOver, createMcpScene, createMcpRun, serveTools } from './mcp-scene.ts';
import { toolboxOf } from '../../src/engines/tools/toolbox.ts';

/** A tool that returns its arguments. */
export const echoArguments: ScriptedTool = ({ arguments: input }) => textResult(JSON.stringify(input));

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
export function createGatewayCaller(
  scene: Scene,
  { config, connectors = [], agentTools = [] }: GatewayParts = {},
) {
  const tool = { id: gatewayId, name: 'mcp', config: { gateway: true, ...config } };
  return (toolArguments: JsonObject): Promise<ToolOutcome> =>
    scene.run(createMcpRun(tool, toolArguments, { toolbox: toolboxOf({ tools: agentTools, connectors }) }));
}

/** Starts two servers with a connector each, the first of which allows only one tool. */
export async function startGatewayScene() {
  const legal = await serveTools(
    { search_statute: echoArguments, delete_statute: echoArguments },
    { definitions: { search_statute: { description: 'Search Korean statutes', inputSchema: querySchema } } },
  );
  const database = await serveTools({ query: echoArguments });
  const scene = createMcpScene();
  const connectors = [
    createConnectorOver(scene.connect(legal.url, 'legal connection'), 'kr-legal', ['search_statute']),
    createConnectorOver(scene.connect(database.url, 'database connection'), 'database', ['query']),
  ];
  return { scene, legal, database, connectors, gateway: createGatewayCaller(scene, { connectors }) };
}

/** Parses the text of a result as JSON. */
export function parseResultText(result: ToolOutcome): JsonValue {
  if (result.status === 'failed') throw new Error(result.error.message);
  if (result.status === 'waits') throw new Error('the call waits');
  return JSON.parse(result.text) as JsonValue;
}
