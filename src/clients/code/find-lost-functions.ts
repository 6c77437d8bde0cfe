import type { Agent } from '../client/index.ts';
import type { Directory } from './directory.ts';

/** Returns a sentence for each function that agents of the workspace use, and that the server does not have. */
export async function findLostFunctions(agents: Agent[], directory: Directory): Promise<string[]> {
  const used = agents.flatMap(({ name, tools }) =>
    tools.flatMap((tool) => {
      if (tool.type !== 'function' || tool.config.runs === 'client') return [];
      return [{ agent: name, used: tool.config.functionName ?? tool.name }];
    }),
  );
  if (used.length === 0) return [];
  const known = new Set(
    (await directory.functions()).flatMap(({ name, aliases = [] }) => [name, ...aliases]),
  );
  return used
    .filter((one) => !known.has(one.used))
    .map(
      ({ agent, used: name }) =>
        `The agent "${agent}" of the workspace uses the function "${name}", which the server does not have any more. Its calls fail.`,
    );
}
