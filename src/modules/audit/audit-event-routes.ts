import { z } from 'zod';
import type { AuditDependencies } from './audit-dependencies.ts';
import { listAuditEvents } from './list-audit-events.ts';
import { auditEventSchema } from '../../domain/audit.ts';
import { routesOf } from '../../platform/http/route.ts';
import { integerParameter } from '../../platform/http/schemas.ts';

const route = routesOf<AuditDependencies>();

const auditQuery = z.strictObject({
  type: z.string().max(100).optional().describe('The type of the events, such as `tool.blocked`'),
  subjectId: z
    .uuid()
    .optional()
    .describe('The id of the tool call, connection, connector or agent that the event is about'),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional().describe('Lists events before this time'),
  limit: integerParameter(1, 500, 50),
  cursor: integerParameter(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('`nextCursor` of the previous page'),
});

const listAuditEventsRoute = route({
  method: 'GET',
  path: '/api/audit-events',
  operationId: 'listAuditEvents',
  summary: 'List audit events, newest first',
  description:
    'The log is append-only; each event has a hash over itself and the hash before it. `npx holdfast audit verify` ' +
    'checks these hashes.',
  tag: 'audit',
  right: 'audit.read',
  query: auditQuery,
  answers: { 200: z.object({ auditEvents: z.array(auditEventSchema), nextCursor: z.int().nullable() }) },
  handler: async ({ query, actor, dependencies }) => {
    const { cursor: before, ...filter } = query;
    const data = await listAuditEvents(dependencies, actor, { ...filter, before });
    return { status: 200, data };
  },
});

/** The endpoints of the audit log. */
export const auditRoutes = [listAuditEventsRoute];
