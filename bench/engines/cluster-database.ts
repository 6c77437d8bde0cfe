import pg from 'pg';
import { runCommand } from '../../src/main/dev/run-command.ts';

/** The databases of a Temporal server, by what they hold. */
export const clusterDatabases = { default: 'temporal', visibility: 'temporal_visibility' } as const;

const schemas = { default: 'postgresql/v12/temporal', visibility: 'postgresql/v12/visibility' };

/** Makes the databases of a Temporal server and their tables. */
export async function createClusterDatabases(databaseUrl: string, sqlTool: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    for (const name of Object.values(clusterDatabases)) await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  for (const kind of ['default', 'visibility'] as const) {
    const run = toSqlTool(sqlTool, databaseUrl, clusterDatabases[kind]);
    await run(['setup-schema', '--version', '0.0']);
    await run(['update-schema', '--schema-name', schemas[kind]]);
  }
}

function toSqlTool(file: string, databaseUrl: string, database: string) {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const environment = {
    SQL_PLUGIN: 'postgres12',
    SQL_HOST: hostname,
    SQL_PORT: port,
    SQL_USER: username,
    SQL_PASSWORD: decodeURIComponent(password),
    SQL_DATABASE: database,
  };
  return async (command: string[]): Promise<void> => {
    const ending = await runCommand(file, command, { timeoutMs: 120_000, environment });
    if (!ending.succeeded) throw new Error(`temporal-sql-tool ${command.join(' ')}: ${ending.problem}`);
  };
}
