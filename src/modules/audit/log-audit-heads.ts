import { createAuditChain } from '../../platform/outbox/audit-chain.ts';
import type { Database } from '../../platform/database/connect-database.ts';

/** How often the heads are read, in milliseconds. */
const defaultIntervalMs = 5 * 60_000;

interface HeadLog {
  database: Pick<Database, 'system'>;
  logger: {
    info: (fields: object, message: string) => void;
    warn: (fields: object, message: string) => void;
  };
  intervalMs?: number;
}

/**
 * Writes the newest hash of each workspace's audit chain to the log, at once and then every five minutes where it has
 * changed. A copy of the log outside of the database proves later, with `holdfast audit verify --expect`, that no
 * chain was rewritten. Returns the function that ends it.
 */
export function logAuditHeads({ database, logger, intervalMs = defaultIntervalMs }: HeadLog): () => void {
  const chain = createAuditChain(database.system);
  const written = new Map<string, number>();
  const write = async (): Promise<void> => {
    for (const { workspaceId, seq, head } of await chain.listHeads()) {
      if (written.get(workspaceId) === seq) continue;
      written.set(workspaceId, seq);
      logger.info({ workspaceId, seq, head }, 'the head of an audit chain');
    }
  };
  const tryToWrite = () =>
    void write().catch((error: unknown) =>
      logger.warn({ err: error }, 'the heads of the audit chains could not be read'),
    );
  tryToWrite();
  const timer = setInterval(tryToWrite, intervalMs);
  return () => clearInterval(timer);
}
