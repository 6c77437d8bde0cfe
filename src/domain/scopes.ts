/** A scope that an operation needs; of a list, any one is enough, and the first one is asked for. */
export type NeededScope = string | readonly [string, ...string[]];

interface ScopedOperation {
  scopes?: readonly NeededScope[];
}

/** Lists the scopes of a connection: those that it always needs, and those that its operations need. */
export function listWantedScopes(
  always: readonly string[],
  operations: Readonly<Record<string, ScopedOperation>>,
  names: readonly string[] = Object.keys(operations),
): string[] {
  const needed = names.flatMap((name) => operations[name]?.scopes ?? []);
  return [...new Set([...always, ...needed.map((scope) => [scope].flat()[0] as string)])];
}

/** Lists the needed scopes that were not granted; of a list, the first one. */
export function listMissingScopes(
  needed: readonly NeededScope[] = [],
  granted: readonly string[] | null = null,
): string[] {
  if (granted === null) return [];
  const missing = needed.filter((scope) => ![scope].flat().some((one) => granted.includes(one)));
  return missing.map((scope) => [scope].flat()[0] as string);
}
