/** What the playground shows. */
export interface PlaygroundSearch {
  /** The id of the agent of a new conversation. */
  agent?: string;
  /** The id of the conversation. */
  conversation?: string;
  /** The id of a conversation beside it, which gets the same messages. */
  beside?: string;
}

/** Reads what the playground shows from an address. */
export function parsePlaygroundSearch(
  given: Record<string, unknown>,
): PlaygroundSearch & Record<string, unknown> {
  const names = ['agent', 'conversation', 'beside'] as const;
  const found = names.flatMap((name) => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? [[name, value]] : [];
  });
  return Object.fromEntries(found) as PlaygroundSearch & Record<string, unknown>;
}
