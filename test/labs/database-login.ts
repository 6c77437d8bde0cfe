import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Runs statements as the owner of the test cluster's databases, in one of them. */
export async function runAsOwner(url: string, statements: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

/** A login of the test cluster. */
export interface DatabaseLogin {
  name: string;
  /** The address of the database for this login. */
  url: string;
  /** Drops the login, once no database has anything of it. */
  close: () => Promise<void>;
}

/** Creates a login that owns nothing. */
export async function createLogin(databaseUrl: string, options = ''): Promise<DatabaseLogin> {
  const name = `login_${randomUUID().slice(0, 8)}`;
  const server = inject('postgresUrl');
  await runAsOwner(server, `CREATE ROLE ${name} LOGIN PASSWORD 'x' ${options}`);
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = 'x';
  return { name, url: url.href, close: () => runAsOwner(server, `DROP ROLE IF EXISTS ${name}`) };
}
