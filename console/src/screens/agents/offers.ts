import type {
  Agent,
  Connection,
  GetProviderResponse,
  KnowledgeBase,
  ListAgentToolsResponse,
  ListConnectionToolsResponse,
  ListFunctionsResponse,
  NewTool,
  Tool,
  WorkflowType,
} from '../../api/types.ts';
import type { Effect } from './tool-texts.ts';

/** Why a tool cannot be chosen. */
type Taken = 'added' | 'quarantined';

/** Something that an agent can be given as a tool. */
export interface Offer {
  /** Unlike that of every other offer, such as `mcp <connection> <tool>`. */
  key: string;
  /** Its name where it comes from. */
  title: string;
  tool: NewTool;
  /** What a call does when it is repeated; null where that is known when the tool is added. */
  effect: Effect | null;
  /** Null for one that can be chosen. */
  taken: Taken | null;
  /** Invisible characters of its definition, such as `U+200B`. */
  hiddenCharacters: readonly string[];
  /** Whether the description is written for the model here. A server or a function brings its own. */
  hasOwnDescription: boolean;
}

/** The longest description that a tool keeps, in characters. */
const longestDescription = 4_000;

/** The longest name of a tool. */
const longestName = 100;

/** Returns a name that a tool may have, from any text. */
function toToolName(text: string): string {
  const name = text.trim().replaceAll(/[^A-Za-z0-9_.:/-]+/g, '_');
  return name.replaceAll(/^_+|_+$/g, '').slice(0, longestName) || 'tool';
}

/** Returns a name that no tool has: the wanted one, or that one with a number. */
export function toFreeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted.slice(0, longestName - 5)}_${number}`;
    if (!taken.has(name)) return name;
  }
}

/** What an agent has already, by which offers are marked. */
export type Present = ListAgentToolsResponse;

function findTaken(present: Present, isSame: (tool: Tool) => boolean): Taken | null {
  const found = present.find(({ tool }) => isSame(tool));
  if (!found) return null;
  return found.state.status === 'quarantined' ? 'quarantined' : 'added';
}

interface ConnectionOffers {
  connection: Pick<Connection, 'id' | 'provider'>;
  tools: ListConnectionToolsResponse['tools'];
  /** The operations of its provider, which have effects; none for an MCP server. */
  operations?: GetProviderResponse['operations'] | undefined;
  present: Present;
}

/** The tools of an MCP server, or the operations of a provider, over a connection. */
export function toConnectionOffers({ connection, tools, operations, present }: ConnectionOffers): Offer[] {
  const effects = new Map(operations?.map(({ name, effect }) => [name, effect]));
  return tools.map(({ name, description, inputSchema, executeRef, hiddenCharacters = [] }) => ({
    key: `mcp ${connection.id} ${name}`,
    title: name,
    tool: {
      type: 'mcp',
      name: toToolName(name),
      description: description.slice(0, longestDescription),
      schema: inputSchema,
      config: { connectionId: connection.id, provider: connection.provider, ...toRemote(name) },
    },
    effect: effects.get(name) ?? null,
    taken: findTaken(
      present,
      (tool) =>
        tool.type === 'mcp' &&
        tool.config.connectionId === connection.id &&
        [name, executeRef].includes(tool.config.tool ?? tool.name),
    ),
    hiddenCharacters,
    hasOwnDescription: false,
  }));
}

/** The name on its server is kept where the tool cannot have it. */
const toRemote = (name: string) => (toToolName(name) === name ? {} : { tool: name });

/** The functions that run in the workers. */
export function toFunctionOffers(functions: ListFunctionsResponse, present: Present): Offer[] {
  return functions.map(({ name, description, schema, effect }) => ({
    key: `function ${name}`,
    title: name,
    tool: { type: 'function', name, description, schema, config: { functionName: name } },
    effect,
    taken: findTaken(
      present,
      (tool) =>
        tool.type === 'function' &&
        tool.config.runs !== 'client' &&
        (tool.config.functionName ?? tool.name) === name,
    ),
    hiddenCharacters: [],
    hasOwnDescription: false,
  }));
}

const oneText = (name: string, description: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string', description } },
  required: [name],
});

/** Searches in knowledge bases. */
export function toKnowledgeOffers(bases: readonly KnowledgeBase[], present: Present): Offer[] {
  return bases.map(({ id, name, description }) => ({
    key: `knowledge ${id}`,
    title: name,
    tool: {
      type: 'knowledge_base',
      name: toToolName(name.toLowerCase()),
      description: `Searches ${name}. ${description}`.trim().slice(0, longestDescription),
      schema: oneText('query', 'What is searched for.'),
      config: { knowledgeBaseId: id },
    },
    effect: 'read_only',
    taken: findTaken(present, (tool) => tool.type === 'knowledge_base' && tool.config.knowledgeBaseId === id),
    hiddenCharacters: [],
    hasOwnDescription: true,
  }));
}

/** The Temporal workflows of the operator. */
export function toWorkflowOffers(types: readonly WorkflowType[], present: Present): Offer[] {
  return types.map(({ id, description, input }) => ({
    key: `workflow ${id}`,
    title: id,
    tool: {
      type: 'workflow',
      name: toToolName(id),
      description: description.slice(0, longestDescription),
      schema: input,
      config: { workflowId: id },
    },
    effect: null,
    taken: findTaken(present, (tool) => tool.type === 'workflow' && tool.config.workflowId === id),
    hiddenCharacters: [],
    hasOwnDescription: true,
  }));
}

/** Other agents, which are asked. */
export function toAgentOffers(agents: readonly Agent[], present: Present): Offer[] {
  return agents.map(({ id, name }) => ({
    key: `agent ${id}`,
    title: name,
    tool: {
      type: 'agent',
      name: toToolName(`ask_${name.toLowerCase()}`),
      description: `Asks the agent ${name}.`,
      schema: oneText('message', 'What the agent is asked.'),
      config: { agentId: id },
    },
    effect: null,
    taken: findTaken(present, (tool) => tool.type === 'agent' && tool.config.agentId === id),
    hiddenCharacters: [],
    hasOwnDescription: true,
  }));
}
