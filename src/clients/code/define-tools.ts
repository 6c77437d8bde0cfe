import { z } from 'zod';
import { gatewayDescription, gatewaySchema } from '../../domain/gateway.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { FunctionDefinition } from '../../engines/functions/define-function.ts';
import { createTool, type CodeTool, type CommonOptions, type SchemaOptions } from './create-tool.ts';
import { knowledgeBaseSchema, messageSchema } from './default-schemas.ts';

const text = z.string();
const optionalText = text.optional();
const flag = z.boolean().optional();
const agentOrName = z.custom<AgentToolOptions['agent']>(
  (value) => typeof (isJsonObject(value) ? value.name : value) === 'string',
  'expected an agent, or the name of one',
);

/** The options of a function as a tool. */
export interface FunctionToolOptions extends CommonOptions {
  /** The name of the tool. @default the name of the function */
  name?: string;
  /** The arguments that the model is shown. @default those of the function */
  input?: z.ZodObject | JsonObject;
  /** The name of the connection that a built-in function searches or pays with. */
  connection?: string;
  /** The name of the knowledge base that `file_search` searches. */
  knowledgeBase?: string;
  /** The image model of `generate_image`. */
  model?: string;
}

/**
 * A tool that runs a function of the worker: one of the code, or a built-in one by its name. Its description and arguments
 * are those of the function.
 */
export function functionTool(run: FunctionDefinition | string, options: FunctionToolOptions = {}): CodeTool {
  const functionName = typeof run === 'string' ? run : run.name;
  const { name = functionName, connection, knowledgeBase, model } = options;
  return createTool({
    ...{ type: 'function', name, options },
    own: { connection: optionalText, knowledgeBase: optionalText, model: optionalText },
    config: {
      functionName: functionName === name ? undefined : functionName,
      ...{ connection, knowledgeBase, model },
    },
    ...(typeof run === 'string' ? {} : { definition: run }),
  });
}

/** The options of a tool that the caller's own program runs. */
export interface ClientToolOptions extends SchemaOptions {
  name: string;
  description: string;
  input: z.ZodObject | JsonObject;
}

/** A tool whose calls the program that uses the API runs; they wait among the pending actions. */
export function clientTool(options: ClientToolOptions): CodeTool {
  const { name } = options;
  return createTool({ type: 'function', name, options, own: {}, config: { runs: 'client' } });
}

/** The options of a tool of an MCP server or of a provider. One of `connection` and `server` is needed. */
export interface McpToolOptions extends SchemaOptions {
  /** The name of the tool on its server, or of the operation of the provider. */
  tool: string;
  /** The name of the tool. @default that on its server */
  name?: string;
  /** The name of the connection. */
  connection?: string;
  /** The name of a server in the operator's MCP catalogue. Its tools need `description` and `input`. */
  server?: string;
}

/**
 * A tool of an MCP server, or an operation of a provider. Without `description` and `input` a new tool gets those that its
 * connection offers, and keeps them.
 */
export function mcpTool(options: McpToolOptions): CodeTool {
  const { tool, name = tool, connection, server } = options;
  return createTool({
    ...{ type: 'mcp', name, options },
    own: { tool: text, connection: optionalText, server: optionalText },
    config: { connection, server, tool: tool === name ? undefined : tool },
  });
}

/** The options of the one tool through which all tools of several servers are called. */
export interface GatewayToolOptions extends CommonOptions {
  /** @default 'mcp' */
  name?: string;
  /** Names of the agent's connectors, of connections or of catalogue servers. @default all connectors of the agent */
  servers?: string[];
}

/** One tool through which all tools of MCP servers and providers are listed and called. */
export function gatewayTool(options: GatewayToolOptions = {}): CodeTool {
  const { name = 'mcp', servers } = options;
  return createTool({
    ...{ type: 'mcp', name, options },
    own: { servers: z.array(text).optional() },
    config: { gateway: true, servers },
    defaults: { description: gatewayDescription, input: gatewaySchema },
  });
}

/** The options of a tool that starts a workflow. */
export interface WorkflowToolOptions extends SchemaOptions {
  /** The id of the workflow in the operator's catalogue. */
  workflow: string;
  /** @default the id of the workflow */
  name?: string;
  /** Whether a call answers at once with the id of the run. @default as the catalogue says */
  detach?: boolean;
}

/** A tool that starts a Temporal workflow of the operator. Its description and arguments are those of the catalogue. */
export function workflowTool(options: WorkflowToolOptions): CodeTool {
  const { workflow, name = workflow, detach } = options;
  return createTool({
    ...{ type: 'workflow', name, options },
    own: { workflow: text, detach: flag },
    config: { workflow, detach },
  });
}

/** The options of a tool that searches documents. */
export interface KnowledgeBaseToolOptions extends SchemaOptions {
  /** The name of the knowledge base. */
  knowledgeBase: string;
  name: string;
}

/** A tool that searches the documents of a knowledge base. */
export function knowledgeBaseTool(options: KnowledgeBaseToolOptions): CodeTool {
  const { name, knowledgeBase } = options;
  return createTool({
    ...{ type: 'knowledge_base', name, options },
    own: { knowledgeBase: text },
    config: { knowledgeBase },
    defaults: { description: `Searches the documents of "${knowledgeBase}".`, input: knowledgeBaseSchema },
  });
}

/** The options of a tool that asks another agent. */
export interface AgentToolOptions extends SchemaOptions {
  /** The other agent, or its name. Files whose agents name each other use the name. */
  agent: { readonly name: string } | string;
  name: string;
  /** Whether the allowlist and the policies of the calling agent hold in the turns below as well. @default false */
  inheritRules?: boolean;
}

/** A tool that asks another agent, in its own turn. */
export function agentTool(options: AgentToolOptions): CodeTool {
  const { name, agent, inheritRules } = options;
  // The options are checked later: JavaScript may have left the agent out.
  const other = isJsonObject(agent) ? agent.name : agent;
  return createTool({
    ...{ type: 'agent', name, options },
    own: { agent: agentOrName, inheritRules: flag },
    config: { agent: other, inheritRules },
    defaults: { description: `Asks the agent "${other}".`, input: messageSchema },
  });
}
