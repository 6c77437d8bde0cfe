import { z } from 'zod';
import type { ActionDependencies } from './action-dependencies.ts';
import { createActionLink, type LinkDependencies } from './action-link.ts';
import { decideAction } from './decide-action.ts';
import { createActionRepository } from './action-repository.ts';
import { toPendingAction } from './action-rows.ts';
import {
  actionKinds,
  actionStatuses,
  decisionInputSchema,
  pendingActionSchema,
} from '../../domain/action.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { routesOf } from '../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../platform/http/schemas.ts';
import { personNameSchema } from '../../domain/person-name.ts';

const route = routesOf<ActionDependencies & LinkDependencies>();
const tag = 'pending actions';

const listPendingActions = route({
  method: 'GET',
  path: '/api/pending-actions',
  operationId: 'listPendingActions',
  summary: 'List what waits for people, newest first',
  description:
    'Without `status` only what is `pending`. The actions of a turn include those of the turns that its tool calls started.',
  tag,
  right: 'actions.read',
  query: pageQuery.extend({
    status: z.enum(actionStatuses).default('pending'),
    kind: z.enum(actionKinds).optional(),
    turnId: z.uuid().optional(),
    conversationId: z.uuid().optional(),
  }),
  answers: { 200: z.object({ actions: z.array(pendingActionSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, pipelined }) => {
    const { items, nextCursor } = await pipelined((statements) =>
      createActionRepository(statements).list(query),
    );
    return { status: 200, data: { actions: items, nextCursor } };
  },
});

const getPendingAction = route({
  method: 'GET',
  path: '/api/pending-actions/:id',
  operationId: 'getPendingAction',
  summary: 'Get a pending action',
  tag,
  right: 'actions.read',
  params: idParams,
  answers: { 200: z.object({ action: pendingActionSchema }) },
  handler: async ({ params: { id }, pipelined }) => {
    const row = await pipelined((statements) => createActionRepository(statements).find(id));
    if (!row) throw new HoldfastError('NOT_FOUND', `There is no action ${id}.`);
    return { status: 200, data: { action: toPendingAction(row) } };
  },
});

const decidePendingAction = route({
  method: 'POST',
  path: '/api/pending-actions/:id/decision',
  operationId: 'decidePendingAction',
  clientName: 'pendingActions.decide',
  summary: 'Decide a pending action',
  description:
    'An approved tool call runs with the arguments that were proposed, or with those of this request, which have to fit ' +
    'the schema of the tool. The answer to a question has to fit its `schema`; the answer to a `client_tool` is the result ' +
    'of the call. The same decision again answers 200; another one 409 with who decided and when. With `remember` ' +
    'later calls of the tool are approved as well, and those that wait already. An approval needs the scope ' +
    '`approvals:decide`.',
  tag,
  right: 'actions.settle',
  params: idParams,
  body: decisionInputSchema,
  answers: { 200: z.object({ action: pendingActionSchema }) },
  errors: ['ACTION_DECIDED', 'NOT_AN_APPROVER', 'SELF_APPROVAL_REFUSED', 'CONFLICT'],
  handler: async ({ params: { id }, body, dependencies, actor, log }) => {
    const action = await decideAction({ ...dependencies, logger: log }, actor, { id, input: body });
    return { status: 200, data: { action } };
  },
});

const day = 24 * 60 * 60;

const linkPendingAction = route({
  method: 'POST',
  path: '/api/pending-actions/:id/link',
  operationId: 'linkPendingAction',
  clientName: 'pendingActions.createLink',
  summary: 'Create a link for a decision',
  description:
    'The link opens a page that shows the tool call, on which a person approves or rejects it. Whoever has the link ' +
    'decides in the name of this API key, and of the person in `actingFor`; it ends after `expiresInSeconds`, by ' +
    'default a day, or with the key.',
  tag,
  right: 'actions.decide',
  params: idParams,
  body: z
    .strictObject({
      actingFor: personNameSchema.optional(),
      expiresInSeconds: z
        .int()
        .min(60)
        .max(31 * day)
        .optional(),
    })
    .nullish(),
  answers: { 201: z.object({ url: z.string(), expiresAt: z.string() }) },
  errors: ['NOT_AN_APPROVER', 'SELF_APPROVAL_REFUSED'],
  handler: async ({ params: { id }, body, dependencies, actor }) => {
    const { actingFor, expiresInSeconds = day } = body ?? {};
    const wish = { actionId: id, actingFor, expiresInSeconds };
    const link = await createActionLink(dependencies, actor, wish);
    return { status: 201, data: link };
  },
});

/** The endpoints of what waits for people. */
export const actionRoutes = [listPendingActions, getPendingAction, decidePendingAction, linkPendingAction];
