import type { Agent } from '../client/index.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { findNamed, type Directory, type Named } from './directory.ts';
import type { PortableAgent, PortableTool } from './portable.ts';

/** The things that names lead to: those of the workspace, and the agents that exist, or will. */
export interface References {
  directory: Directory;
  agents: Named[];
}

/** The thing that a name leads to, and the problem with it. */
interface Resolved<Value> {
  value: Value;
  problems: string[];
}

/** Returns the models of an agent with the ids of the connections whose keys they are called with. */
export async function resolveModels(
  { modelConnection, fallbackModels }: Pick<PortableAgent, 'modelConnection' | 'fallbackModels'>,
  { directory }: Pick<References, 'directory'>,
): Promise<Resolved<Pick<Agent, 'modelConnectionId' | 'fallbackModels'>>> {
  const problems: string[] = [];
  const find = async (field: string, wanted: string | null): Promise<string | null> => {
    if (wanted === null) return null;
    const found = findNamed('connection', await directory.connections(), wanted);
    if ('id' in found) return found.id;
    problems.push(`${field}: ${found.problem}`);
    return null;
  };
  const modelConnectionId = await find('modelConnection', modelConnection);
  const resolved = await Promise.all(
    fallbackModels.map(async ({ model, modelConnection: name }, index) => ({
      model,
      modelConnectionId: await find(`fallbackModels.${index}.modelConnection`, name),
    })),
  );
  return { value: { modelConnectionId, fallbackModels: resolved }, problems };
}

/** Returns the `config` of a tool with ids in place of names. */
export async function resolveConfig(
  { name: tool, config }: Pick<PortableTool, 'name' | 'config'>,
  references: References,
): Promise<Resolved<JsonObject>> {
  const { connection, knowledgeBase, agent, workflow, ...rest } = config;
  const problems: string[] = [];
  const find = (kind: string, all: Named[], wanted: string): Named => {
    const found = findNamed(kind, all, wanted);
    if ('id' in found) return found;
    problems.push(`tools.${tool}: ${found.problem}`);
    return { id: '', name: '' };
  };
  const ids: { [field: string]: JsonValue | undefined } = { ...rest, workflowId: workflow };
  const { directory, agents } = references;
  if (connection !== undefined) {
    const { id, provider } = find('connection', await directory.connections(), connection);
    Object.assign(ids, { connectionId: id, ...(provider !== undefined && { provider }) });
  }
  if (knowledgeBase !== undefined)
    ids['knowledgeBaseId'] = find('knowledge base', await directory.knowledgeBases(), knowledgeBase).id;
  if (agent !== undefined) ids['agentId'] = find('agent', agents, agent).id;
  const entries = Object.entries(ids).filter(([, value]) => value !== undefined);
  return { value: Object.fromEntries(entries) as JsonObject, problems };
}

/** Returns the names of an agent that lead nowhere, as sentences. */
export async function findWrongReferences(wanted: PortableAgent, references: References): Promise<string[]> {
  const tools = await Promise.all(wanted.tools.map((tool) => resolveConfig(tool, references)));
  const model = await resolveModels(wanted, references);
  return [...model.problems, ...tools.flatMap(({ problems }) => problems)];
}
