import type { ClientConfig } from 'pg';

/**
 * Returns the options of every pooled session. Their timeouts end each wait: ours for a database that does not answer,
 * and that of the database for a process that died while it held locks.
 */
export function toConnectionOptions(url: string, idleInTransactionMs = 10_000) {
  return {
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  } satisfies ClientConfig;
}
