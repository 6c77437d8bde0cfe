import type { AuditEvent } from '../../domain/audit.ts';
import type { JsonObject } from '../../domain/json.ts';

/** A row of `audit_events`. */
export interface AuditRow {
  workspace_id: string;
  seq: number;
  id: string;
  type: string;
  subject_id: string | null;
  payload: JsonObject;
  created_at: Date;
  hash: Buffer;
}

/** An audit event as the API shows it. */
export function toAuditEvent(row: AuditRow): AuditEvent {
  return {
    id: row.id,
    seq: row.seq,
    type: row.type,
    subjectId: row.subject_id,
    payload: row.payload,
    createdAt: row.created_at.toISOString(),
    hash: row.hash.toString('hex'),
  };
}
