import type { BenchRow } from '../rows.ts';

/** One row of the comparison: an engine, the packages that it needs, and the file that runs its turns. */
export interface PeerRow {
  /** The name of the row, and of the option `--only`. */
  name: string;
  /** The file in `engines`. */
  module: string;
  settings: Record<string, string>;
  /** The packages of `package.json` in this folder without which it cannot run. */
  packages: readonly string[];
  /** Whether it stores its data in Postgres. */
  usesPostgres: boolean;
  /** Whether the engine keeps conversations, and a turn reads the earlier ones. */
  keepsConversations: boolean;
}

const mastraPackages = ['@mastra/core', '@mastra/pg'];
const restatePackages = [
  '@restatedev/restate-sdk',
  '@restatedev/restate-sdk-clients',
  '@restatedev/restate-server',
];

/** The rows in the order in which they run. A further engine is one file in `engines` and one entry here. */
export const peerRows: readonly PeerRow[] = [
  { ...toRow('plain-inserts', 'floor.ts'), keepsConversations: false },
  toRow('langgraph', 'langgraph.mjs', ['@langchain/langgraph', '@langchain/langgraph-checkpoint-postgres']),
  { ...toRow('mastra-workflow', 'mastra-workflow.mjs', mastraPackages), keepsConversations: false },
  toRow('mastra-agent', 'mastra-agent.mjs', [...mastraPackages, '@mastra/memory']),
  { ...toRow('dbos', 'dbos.mjs', ['@dbos-inc/dbos-sdk']), keepsConversations: false },
  {
    ...toRow('restate', 'restate.mjs', restatePackages),
    usesPostgres: false,
  },
  toHoldfastRow('direct', 'worker'),
  toHoldfastRow('direct', 'http'),
  toHoldfastRow('inspectable', 'worker'),
  toHoldfastRow('inspectable', 'http'),
];

/** The variables that turn off the telemetry of the compared programs. */
export const withoutTelemetry = {
  MASTRA_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  LANGSMITH_TRACING: 'false',
};

/**
 * Returns the rows of these names, or all rows when there are none.
 * @throws Error that names a row that does not exist
 */
export function selectRows<Row extends { name: string }>(
  rows: readonly Row[],
  names: readonly string[],
): readonly Row[] {
  const known = rows.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`--only names "${unknown}", expected some of ${known.join(', ')}.`);
  }
  return names.length === 0 ? rows : rows.filter(({ name }) => names.includes(name));
}

/** Returns a row with Postgres, conversations and no settings. */
export function toRow(name: string, module: string, packages: readonly string[] = []): PeerRow {
  return { name, module, packages, settings: {}, usesPostgres: true, keepsConversations: true };
}

function toHoldfastRow(execution: BenchRow['execution'], through: BenchRow['through']): PeerRow {
  const name = `holdfast-${execution}${through === 'http' ? '-http' : ''}`;
  return { ...toRow(name, 'holdfast.ts'), settings: { execution, through } };
}
