import type { AgentDefinition } from './define-agent.ts';

/**
 * Orders agents so that a new one comes before those whose tools ask it, as far as that can be: of agents that ask each other in
 * a circle, one comes before one that it asks.
 */
export function orderAgents<Item extends { definition: AgentDefinition }>(
  items: Item[],
  isNew: (name: string) => boolean,
): Item[] {
  const newOnes = new Map(
    items.flatMap((item) => (isNew(item.definition.name) ? [[item.definition.name, item] as const] : [])),
  );
  const begun = new Set<Item>();
  const ordered: Item[] = [];
  const visit = (item: Item) => {
    if (begun.has(item)) return;
    begun.add(item);
    for (const asked of listAsked(item.definition)) {
      const next = newOnes.get(asked);
      if (next) visit(next);
    }
    ordered.push(item);
  };
  items.forEach(visit);
  return ordered;
}

/** The names of the agents that the tools of an agent ask. */
function listAsked({ tools }: AgentDefinition): string[] {
  return tools.flatMap(({ config }) => config.agent ?? []);
}
