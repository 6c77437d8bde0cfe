import { z } from 'zod';
import type { AuditDependencies } from './audit-dependencies.ts';
import { listAuditEvents } from './list-audit-events.ts';
import { chainFaults, createAuditChain } from '../../platform/outbox/audit-chain.ts';
import { personNameSchema } from '../../domain/person-name.ts';
import { auditEventSchema } from '../../domain/audit.ts';
import { dateTimeSchema } from '../../domain/date-time.ts';
import { routesOf } from '../../platform/http/route.ts';
import { integerParameter } from '../../platform/http/schemas.ts';

const route = routesOf<AuditDependencies>();

const auditQuery = z.strictObject({
  type: z.string().max(100).optional().describe('The type of the events, such as `tool.blocked`'),
  subjectId: z
    .uuid()
    .optional()
    .describe('The id of the tool call, connection, connector or agent that the event is about'),
  person: personNameSchema
    .optional()
    .describe('The person who acted, or for whom an API key acted, in upper or lower case'),
  apiKeyId: z
    .string()
    .max(100)
    .optional()
    .describe('The id of the API key that acted, for itself or a person'),
  from: dateTimeSchema.optional(),
  to: dateTimeSchema.optional().describe('Lists events before this time'),
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
    'The log is append-only; each event has a hash over itself and the hash before it, which `GET ' +
    '/api/audit-events/verification` and `npx holdfast audit verify` check. `person` and `apiKeyId` choose the events that ' +
    'name who acted.',
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

const verificationSchema = z.object({
  /** Whether every event is there, in its place and as it was written. */
  isWhole: z.boolean(),
  events: z.int(),
  /** The hash of the newest event, in hex; null without events. A copy of it elsewhere proves later that none was replaced. */
  head: z.string().nullable(),
  /** At most twenty, in the order of `seq`. */
  faults: z.array(z.object({ seq: z.int(), fault: z.enum(chainFaults) })),
});

const verifyAuditEventsRoute = route({
  method: 'GET',
  path: '/api/audit-events/verification',
  operationId: 'verifyAuditEvents',
  clientName: 'auditEvents.verify',
  summary: 'Verify the chain of audit events of the workspace',
  description:
    'Computes every hash again, and so takes longer the more events there are. Finds events that were changed, moved or ' +
    'deleted; that all were replaced is found by a copy of an earlier `head`.',
  tag: 'audit',
  right: 'audit.read',
  answers: { 200: z.object({ verification: verificationSchema }) },
  handler: async ({ actor, dependencies: { database } }) => {
    const { events, head, faults } = await createAuditChain(database.system).verify(actor.workspaceId);
    return { status: 200, data: { verification: { isWhole: faults.length === 0, events, head, faults } } };
  },
});

/** The endpoints of the audit log. */
export const auditRoutes = [listAuditEventsRoute, verifyAuditEventsRoute];
