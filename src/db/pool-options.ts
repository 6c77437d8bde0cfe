import type { ClientConfig } from 'pg';

/**
 * How every connection for work is opened: nothing waits without an end, neither we for a database that is gone nor
 * the database, with locks held, for a process that is gone.
 */
export function toConnectionOptions(url: string) {
  return {
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 10_000,
  } satisfies ClientConfig;
}
