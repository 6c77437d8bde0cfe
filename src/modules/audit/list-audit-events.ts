import { createAuditLog, type AuditFilter } from '../../platform/outbox/audit-log.ts';
import type { Actor } from '../../domain/actor.ts';
import type { AuditEvent } from '../../domain/audit.ts';
import type { AuditDependencies } from './audit-dependencies.ts';

/** A page of audit events; `nextCursor` is `before` of the next page, or null on the last one. */
interface AuditPage {
  auditEvents: AuditEvent[];
  nextCursor: number | null;
}

/** Lists the audit events of a workspace that a filter matches, newest first. */
export async function listAuditEvents(
  { database }: Pick<AuditDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { limit, ...filter }: AuditFilter,
): Promise<AuditPage> {
  // One more than asked for shows whether there is a next page.
  const found = await database.inWorkspace(workspaceId, (trx) =>
    createAuditLog(trx).list(workspaceId, { ...filter, limit: limit + 1 }),
  );
  const auditEvents = found.slice(0, limit);
  const nextCursor = found.length > limit ? (auditEvents.at(-1)?.seq ?? null) : null;
  return { auditEvents, nextCursor };
}
