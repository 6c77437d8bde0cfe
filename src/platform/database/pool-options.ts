import type { ClientConfig } from 'pg';

/** The timeouts of pooled sessions that a program or a test sets, in milliseconds. */
export interface SessionTimeouts {
  /** How long a session may idle in a transaction before Postgres ends it. @default 10 000 */
  idleInTransactionMs?: number | undefined;
  /** How long a statement may stay without an answer, such as that of a host that is gone. @default 40 000 */
  queryTimeoutMs?: number | undefined;
}

/**
 * Returns the options of every pooled session. Their timeouts end each wait: ours for a database that does not answer,
 * and that of the database for a process that died while it held locks.
 */
export function toConnectionOptions(
  url: string,
  { idleInTransactionMs = 10_000, queryTimeoutMs = 40_000 }: SessionTimeouts = {},
) {
  return {
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    // Longer than the timeout of the database, which ends a statement in order.
    query_timeout: queryTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  } satisfies ClientConfig;
}
