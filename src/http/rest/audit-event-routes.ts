import { z } from 'zod';
import { createAuditLog } from '../../db/audit/audit-log.ts';
import { auditEventSchema } from '../../domain/audit.ts';
import { route } from '../server/route.ts';

const auditQuery = z.strictObject({
  type: z.string().max(100).optional().describe('Such as `tool.blocked`'),
  subjectId: z.uuid().optional().describe('The tool call, connection, connector or agent that it is about'),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional().describe('Before this time'),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: z.coerce.number().int().min(1).optional().describe('`nextCursor` of the page before'),
});

const listAuditEvents = route({
  method: 'GET',
  path: '/api/audit-events',
  operationId: 'listAuditEvents',
  summary: 'List audit events, newest first',
  description:
    'The log is append-only; each event holds a hash over itself and the hash before it. `npx holdfast audit verify` ' +
    'computes them again.',
  tag: 'audit',
  scope: 'audit:read',
  query: auditQuery,
  answers: { 200: z.object({ auditEvents: z.array(auditEventSchema), nextCursor: z.int().nullable() }) },
  handler: async ({ query, inWorkspace }) => {
    const { cursor: before, limit, ...filter } = query;
    const found = await inWorkspace((trx) =>
      createAuditLog(trx).list({ ...filter, before, limit: limit + 1 }),
    );
    const auditEvents = found.slice(0, limit);
    const nextCursor = found.length > limit ? (auditEvents.at(-1)?.seq ?? null) : null;
    return { status: 200, data: { auditEvents, nextCursor } };
  },
});

/** How the audit log is read. */
export const auditRoutes = [listAuditEvents];
