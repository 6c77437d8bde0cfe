import { searchAttributeNames } from '../../contract/search-attributes.ts';

/**
 * Settings of the Temporal server that a real deployment wants too. Eager activities are off by default
 * before server 1.32; the default of 20 polls a second for each shard adds 50 ms to every dispatch of a busy
 * one; the last two make priority and fairness keys count.
 */
export const dynamicConfig = {
  'system.enableActivityEagerExecution': true,
  'history.transferProcessorMaxPollRPS': 200,
  'history.timerProcessorMaxPollRPS': 200,
  'matching.useNewMatcher': true,
  'matching.enableFairness': true,
} as const;

/** Custom search attributes and their types. */
export const searchAttributes = Object.fromEntries(
  Object.values(searchAttributeNames).map((name) => [name, 'Keyword' as const]),
);

/** Settings with which a database file, which survives a restart, is about as fast as memory. */
const sqlitePragmas = { journal_mode: 'WAL', synchronous: 'NORMAL' } as const;

/** The arguments of `temporal server start-dev` that are the same wherever it runs. */
export function toTemporalFlags(): string[] {
  return [
    ...toPairs('--dynamic-config-value', dynamicConfig),
    ...toPairs('--search-attribute', searchAttributes),
  ];
}

/** The arguments that keep the server's data in a file. */
export function toDatabaseFlags(file: string): string[] {
  return ['--db-filename', file, ...toPairs('--sqlite-pragma', sqlitePragmas)];
}

function toPairs(flag: string, values: Record<string, string | number | boolean>): string[] {
  return Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`]);
}
