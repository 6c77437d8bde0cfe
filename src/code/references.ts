import type { JsonObject, JsonValue } from '../domain/json.ts';
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

/** Finds the id of the connection whose key the model is called with. */
export async function resolveModelConnection(
  { modelConnection }: Pick<PortableAgent, 'modelConnection'>,
  { directory }: References,
): Promise<Resolved<string | null>> {
  if (modelConnection === null) return { value: null, problems: [] };
  const found = findNamed('connection', await directory.connections(), modelConnection);
  if ('problem' in found) return { value: null, problems: [`modelConnection: ${found.problem}`] };
  return { value: found.id, problems: [] };
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
