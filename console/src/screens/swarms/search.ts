/** The views of one swarm. */
export const swarmViews = ['work', 'state', 'messages', 'raw'] as const;

/** What is shown of one swarm. */
export interface SwarmSearch {
  view: (typeof swarmViews)[number];
  /** The id of the chosen subtask. */
  subtask?: string;
}

/** Reads what is shown of one swarm from an address. */
export function parseSwarmSearch(given: Record<string, unknown>): SwarmSearch & Record<string, unknown> {
  const subtask = given['subtask'];
  return {
    view: swarmViews.find((view) => view === given['view']) ?? 'work',
    ...(typeof subtask === 'string' && subtask !== '' ? { subtask } : {}),
  };
}
