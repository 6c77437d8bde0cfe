import { z } from 'zod';
import type { ActionDependencies } from './action-dependencies.ts';
import { revokeGrant } from './revoke-grant.ts';
import { createGrantRepository } from './grant-repository.ts';
import { toActorRef } from '../../domain/actor.ts';
import { approvalGrantSchema } from './approval-grant.ts';
import { grantScopes } from '../../domain/remember-input.ts';
import { routesOf } from '../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../platform/http/schemas.ts';
import { personNameSchema } from '../../domain/person-name.ts';

const route = routesOf<Pick<ActionDependencies, 'database'>>();
const tag = 'pending actions';

const listApprovalGrants = route({
  method: 'GET',
  path: '/api/approval-grants',
  operationId: 'listApprovalGrants',
  summary: 'List remembered approvals, newest first',
  tag,
  right: 'actions.read',
  query: pageQuery.extend({
    tool: z.string().min(1).max(200).optional().describe('The name of a tool, or `server:tool`'),
    scope: z.enum(grantScopes).optional(),
    actionId: z.uuid().optional().describe('The action whose decision was remembered'),
    active: z.enum(['true', 'false']).optional().describe('Whether it holds now'),
  }),
  answers: {
    200: z.object({ approvalGrants: z.array(approvalGrantSchema), nextCursor: nextCursorSchema }),
  },
  handler: async ({ query: { active, ...filter }, pipelined }) => {
    const isActive = active === undefined ? {} : { active: active === 'true' };
    const { items, nextCursor } = await pipelined((statements) =>
      createGrantRepository(statements).list({ ...filter, ...isActive }),
    );
    return { status: 200, data: { approvalGrants: items, nextCursor } };
  },
});

const revokeApprovalGrant = route({
  method: 'DELETE',
  path: '/api/approval-grants/:id',
  operationId: 'revokeApprovalGrant',
  clientName: 'approvalGrants.revoke',
  summary: 'Revoke a remembered approval',
  description: 'Later calls ask again. A call that it has approved already still runs.',
  tag,
  right: 'grants.revoke',
  params: idParams,
  query: z.strictObject({ actingFor: personNameSchema.optional() }),
  answers: { 200: z.object({ approvalGrant: approvalGrantSchema }) },
  handler: async ({ params: { id }, query: { actingFor }, actor, dependencies }) => {
    const { workspaceId } = actor;
    const revoker = { workspaceId, ...toActorRef(actor, actingFor) };
    const approvalGrant = await revokeGrant(dependencies, revoker, id);
    return { status: 200, data: { approvalGrant } };
  },
});

/** The endpoints of approvals that are remembered for later calls. */
export const approvalGrantRoutes = [listApprovalGrants, revokeApprovalGrant];
