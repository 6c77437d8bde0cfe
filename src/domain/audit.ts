import { z } from 'zod';
import { jsonObjectSchema } from './json-value.ts';

/** The types of audit events. Each module declares its own, in its `module.ts`. */
export interface AuditTypes {
  'work.stopped': true;
}

/** The type of an audit event, such as `tool.executed`. */
export type AuditType = keyof AuditTypes;

/** One link of a workspace's audit chain. */
export const auditEventSchema = z.object({
  id: z.string(),
  /** Starts at 1 and has no gaps. */
  seq: z.int(),
  type: z.string(),
  subjectId: z.string().nullable(),
  payload: jsonObjectSchema,
  createdAt: z.string(),
  /** SHA-256 in hex over this event and the hash before it. */
  hash: z.string(),
});
export type AuditEvent = z.infer<typeof auditEventSchema>;
