import type { AgentVersion } from '../../domain/agent.ts';
import type { NamedConnection } from '../../domain/rules.ts';
import type { ToolType } from '../../domain/tool.ts';

/** The tools of an agent, with the servers that they lead to. */
export interface ToolBox extends Pick<AgentVersion, 'tools' | 'connectors'> {
  /** The stored connections that a call may lead to; undefined when they were not read. */
  connections?: readonly NamedConnection[] | undefined;
}

/** The place that a call leads to. Two tools with the same place call the same thing, whatever their names are. */
export interface Place {
  type: 'connection' | 'server' | 'client' | Exclude<ToolType, 'mcp'>;
  id: string;
  /** The names of the tool on its server. A provider has two: `slack_sendMessage` and `sendMessage`. */
  tools: string[];
}

/** Returns whether two places are the same. */
export function isSamePlace(one: Place | null, other: Place | null): boolean {
  if (!one || one.type !== other?.type || one.id !== other.id) return false;
  return one.tools.some((tool) => other.tools.includes(tool));
}

/** The names of the server of a place, as rules may write them; none for what runs on no server. */
export function listServerNames(place: Place | null, { connectors, connections }: ToolBox): string[] {
  if (place?.type === 'server') return [place.id];
  if (place?.type !== 'connection') return [];
  const own = connectors.filter(({ connectionId }) => connectionId.toLowerCase() === place.id);
  const connection = connections?.find(({ id }) => id === place.id);
  const names = own.map(({ name }) => name);
  if (own.length === 0) names.push(place.id);
  // A connector of the agent keeps its name, also when another connection has it.
  if (connection && connectors.every(({ name }) => name !== connection.name)) names.push(connection.name);
  if (connection && connection.provider !== 'mcp') names.push(connection.provider);
  return [...new Set(names)];
}
