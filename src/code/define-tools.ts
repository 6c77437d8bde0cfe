import { z } from 'zod';
import { gatewayDescription, gatewaySchema } from '../domain/gateway.ts';
import { isJsonObject, type JsonObject } from '../domain/json.ts';
import { toolFields, type ToolSettings } from '../domain/tool.ts';
import type { FunctionDefinition } from '../functions/define-function.ts';
import { toJsonSchema } from '../functions/input-schema.ts';
import { knowledgeBaseSchema, messageSchema } from './default-schemas.ts';
import type { PortableConfig, PortableType } from './portable.ts';

const toolMark = Symbol.for('holdfast.tool');

/** A tool of an agent in code. It names connections, knowledge bases and agents by their names. */
export interface CodeTool {
  readonly [toolMark]: true;
  readonly type: PortableType;
  readonly name: string;
  /** Undefined where `holdfast push` looks it up. */
  readonly description: string | undefined;
  readonly schema: JsonObject | undefined;
  readonly settings: ToolSettings;
  readonly config: PortableConfig;
  /** The function itself, if the code has it. */
  readonly definition: FunctionDefinition | undefined;
}

interface CommonOptions {
  /** The description that the model reads. */
  description?: string;
  settings?: ToolSettings;
}

interface SchemaOptions extends CommonOptions {
  /** The arguments, as a schema of zod or as JSON Schema. */
  input?: z.ZodObject | JsonObject;
}

interface ToolParts extends SchemaOptions {
  type: PortableType;
  name: string;
  config: PortableConfig;
  definition?: FunctionDefinition;
}

const partsSchema = z.object({
  name: toolFields.name,
  description: toolFields.description.optional(),
  schema: toolFields.schema.optional(),
  settings: toolFields.settings.unwrap().default({}),
});

/** @throws TypeError that says what is wrong with the tool */
function createTool({ type, config, input, definition, ...parts }: ToolParts): CodeTool {
  const { name } = parts;
  const schema = isZodObject(input) ? toJsonSchema(name, input) : input;
  const checked = partsSchema.safeParse({ ...parts, schema });
  if (!checked.success) {
    throw new TypeError(`The tool ${JSON.stringify(name)} cannot be used: ${z.prettifyError(checked.error)}`);
  }
  const entries = Object.entries(config).filter(([, value]) => value !== undefined);
  const { description, settings } = checked.data;
  return {
    [toolMark]: true,
    ...{ type, name, description, settings, definition },
    schema: checked.data.schema,
    config: Object.fromEntries(entries),
  };
}

function isZodObject(input: unknown): input is z.ZodObject {
  return isJsonObject(input) && '_zod' in input;
}

/** Whether a value is a tool in code, of this or another copy of the package. */
export function isCodeTool(value: unknown): value is CodeTool {
  return isJsonObject(value) && toolMark in value;
}

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
export function functionTool(
  run: FunctionDefinition | string,
  { connection, knowledgeBase, model, ...options }: FunctionToolOptions = {},
): CodeTool {
  const functionName = typeof run === 'string' ? run : run.name;
  const { name = functionName } = options;
  return createTool({
    ...options,
    ...{ type: 'function', name },
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
  return createTool({ ...options, type: 'function', config: { runs: 'client' } });
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
export function mcpTool({ tool, name = tool, connection, server, ...options }: McpToolOptions): CodeTool {
  const config = { connection, server, tool: tool === name ? undefined : tool };
  return createTool({ ...options, type: 'mcp', name, config });
}

/** The options of the one tool through which all tools of several servers are called. */
export interface GatewayToolOptions extends CommonOptions {
  /** @default 'mcp' */
  name?: string;
  /** Names of the agent's connectors, of connections or of catalogue servers. @default all connectors of the agent */
  servers?: string[];
}

/** One tool through which all tools of MCP servers and providers are listed and called. */
export function gatewayTool({ name = 'mcp', servers, ...options }: GatewayToolOptions = {}): CodeTool {
  return createTool({
    ...{ description: gatewayDescription, input: gatewaySchema, ...options },
    ...{ type: 'mcp', name, config: { gateway: true, servers } },
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
export function workflowTool({
  workflow,
  name = workflow,
  detach,
  ...options
}: WorkflowToolOptions): CodeTool {
  return createTool({ ...options, type: 'workflow', name, config: { workflow, detach } });
}

/** The options of a tool that searches documents. */
export interface KnowledgeBaseToolOptions extends SchemaOptions {
  /** The name of the knowledge base. */
  knowledgeBase: string;
  name: string;
}

/** A tool that searches the documents of a knowledge base. */
export function knowledgeBaseTool({ knowledgeBase, ...options }: KnowledgeBaseToolOptions): CodeTool {
  return createTool({
    description: `Searches the documents of "${knowledgeBase}".`,
    input: knowledgeBaseSchema,
    ...options,
    ...{ type: 'knowledge_base', config: { knowledgeBase } },
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

/** A tool that asks another agent, in a turn of its own. */
export function agentTool({ agent, inheritRules, ...options }: AgentToolOptions): CodeTool {
  const other = typeof agent === 'string' ? agent : agent.name;
  return createTool({
    description: `Asks the agent "${other}".`,
    input: messageSchema,
    ...options,
    ...{ type: 'agent', config: { agent: other, inheritRules } },
  });
}
