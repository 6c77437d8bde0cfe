import type { Knex } from 'knex';
import type { AuditEvent, AuditType } from '../../domain/audit.ts';
import type { JsonObject } from '../../domain/json.ts';
import { newId } from '../../lib/ids.ts';
import { toAuditEvent, type AuditRow } from './audit-rows.ts';

/** What happened, to what; never with a secret in it. */
export interface AuditEntry {
  type: AuditType;
  subjectId: string | null;
  payload: JsonObject;
}

/** Which audit events are asked for; times are ISO 8601. */
export interface AuditFilter {
  type?: string | undefined;
  subjectId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** The `seq` of the last event of the page before. */
  before?: number | undefined;
  limit: number;
}

/** The audit log of one workspace: written in the transaction of what it records, and never changed. */
export function createAuditLog(trx: Knex) {
  return {
    record: async ({ type, subjectId, payload }: AuditEntry): Promise<void> => {
      await trx('audit_events').insert({
        id: newId(),
        type,
        subject_id: subjectId,
        payload: JSON.stringify(payload),
      });
    },

    /** Newest first. */
    list: (filter: AuditFilter): Promise<AuditEvent[]> => listEvents(trx, filter),
  };
}

async function listEvents(trx: Knex, filter: AuditFilter): Promise<AuditEvent[]> {
  const query = trx<AuditRow>('audit_events').orderBy('seq', 'desc').limit(filter.limit);
  if (filter.type !== undefined) void query.where('type', filter.type);
  if (filter.subjectId !== undefined) void query.where('subject_id', filter.subjectId);
  if (filter.from !== undefined) void query.where('created_at', '>=', filter.from);
  if (filter.to !== undefined) void query.where('created_at', '<', filter.to);
  if (filter.before !== undefined) void query.where('seq', '<', filter.before);
  return (await query).map(toAuditEvent);
}
