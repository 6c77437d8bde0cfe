import type { AgentDefinition } from './define-agent.ts';

/**
 * Orders agents so that each one comes after those that its tools ask. Returns the circle of names instead when there is
 * one.
 */
export function orderAgents<Item extends { definition: AgentDefinition }>(
  items: Item[],
): { ordered: Item[] } | { circle: string[] } {
  const byName = new Map(items.map((item) => [item.definition.name, item]));
  const ordered = new Set<Item>();
  const visit = (item: Item, above: string[]): string[] | null => {
    const { name } = item.definition;
    if (above.includes(name)) return [...above.slice(above.indexOf(name)), name];
    if (ordered.has(item)) return null;
    for (const other of askedBy(item.definition)) {
      const next = byName.get(other);
      const circle = next && visit(next, [...above, name]);
      if (circle) return circle;
    }
    ordered.add(item);
    return null;
  };
  for (const item of items) {
    const circle = visit(item, []);
    if (circle) return { circle };
  }
  return { ordered: [...ordered] };
}

/** The names of the agents that the tools of an agent ask. */
function askedBy({ tools }: AgentDefinition): string[] {
  return tools.flatMap(({ config }) => config.agent ?? []);
}
