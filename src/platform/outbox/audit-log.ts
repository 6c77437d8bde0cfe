import type { Knex } from 'knex';
import type { ActorRef } from '../../domain/actor.ts';
import type { AuditEvent, AuditType } from '../../domain/audit.ts';
import type { JsonObject } from '../../domain/json.ts';
import { newId } from '../lib/ids.ts';
import { chainPendingEvents } from './audit-chain.ts';
import { toAuditEvent, type AuditRow } from './audit-rows.ts';

/** An audit event before it is recorded; its payload never holds a secret. */
interface AuditEntry {
  /** Needed with the system database only. */
  workspaceId?: string;
  type: AuditType;
  subjectId: string | null;
  payload: JsonObject;
  /** The actor of the event; the payload gets it as `by`. */
  by?: ActorRef;
}

/** Selects audit events; times are ISO 8601. */
export interface AuditFilter {
  type?: string | undefined;
  subjectId?: string | undefined;
  /** The person who acted, or for whom a key acted. */
  person?: string | undefined;
  /** The API key that acted. */
  apiKeyId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** The `seq` of the last event of the page before. */
  before?: number | undefined;
  limit: number;
}

/**
 * The audit log of one workspace. Events are written in the transaction that they record, and never changed. They are
 * appended to the chain after the commit.
 */
export function createAuditLog(trx: Knex) {
  return {
    record: async ({ workspaceId, type, subjectId, payload, by }: AuditEntry): Promise<void> => {
      await trx('audit_pending').insert({
        id: newId(),
        ...(workspaceId === undefined ? {} : { workspace_id: workspaceId }),
        type,
        subject_id: subjectId,
        payload: JSON.stringify(by ? { ...payload, by } : payload),
      });
    },

    /** Newest first. All events that were committed before are in the chain, and so in the list. */
    list: async (workspaceId: string, filter: AuditFilter): Promise<AuditEvent[]> => {
      await chainPendingEvents(trx, workspaceId);
      return listEvents(trx, filter);
    },
  };
}

async function listEvents(trx: Knex, filter: AuditFilter): Promise<AuditEvent[]> {
  if (filter.person !== undefined || filter.apiKeyId !== undefined) return listEventsBy(trx, filter);
  const query = trx<AuditRow>('audit_events').orderBy('seq', 'desc').limit(filter.limit);
  if (filter.type !== undefined) void query.where('type', filter.type);
  if (filter.subjectId !== undefined) void query.where('subject_id', filter.subjectId);
  if (filter.from !== undefined) void query.where('created_at', '>=', filter.from);
  if (filter.to !== undefined) void query.where('created_at', '<', filter.to);
  if (filter.before !== undefined) void query.where('seq', '<', filter.before);
  return (await query).map(toAuditEvent);
}

async function listEventsBy(trx: Knex, filter: AuditFilter): Promise<AuditEvent[]> {
  const { type, subjectId, person, apiKeyId, from, to, before, limit } = filter;
  const values = [person, apiKeyId, type, subjectId, from, to, before, limit].map((value) => value ?? null);
  const { rows } = await trx.raw<{ rows: AuditRow[] }>(
    'SELECT * FROM list_audit_events_by(?, ?, ?, ?, ?, ?, ?, ?)',
    values,
  );
  return rows.map(toAuditEvent);
}
