import pg from 'pg';

/** The role and the database of Holdfast. */
const name = 'holdfast';

interface DatabaseServer {
  host: string;
  port: number;
  password: string;
}

/**
 * Makes the role and the database of Holdfast where they are missing, and returns the database's url. The role
 * is no superuser, as in a deployment, since row-level security does not apply to superusers.
 */
export async function ensureDatabase({ host, port, password }: DatabaseServer): Promise<string> {
  const client = new pg.Client({ host, port, password, user: 'postgres', database: 'postgres' });
  await client.connect();
  try {
    const role = client.escapeIdentifier(name);
    const { rowCount: roles } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
    if (roles === 0) {
      const secret = client.escapeLiteral(password);
      await client.query(`CREATE ROLE ${role} LOGIN CREATEDB CREATEROLE PASSWORD ${secret}`);
    }
    const { rowCount: databases } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [
      name,
    ]);
    if (databases === 0) await client.query(`CREATE DATABASE ${role} OWNER ${role}`);
  } finally {
    await client.end();
  }
  return `postgres://${name}:${encodeURIComponent(password)}@${host}:${port}/${name}`;
}
