import { z } from 'zod';
import { createInboxRepository } from './inbox-repository.ts';
import type { Actor } from '../../domain/actor.ts';
import { createInvalidInput } from '../../domain/errors.ts';
import { inboxMessageSchema } from '../../domain/inbox.ts';
import { routesOf } from '../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../platform/http/schemas.ts';
import { personNameSchema } from '../../domain/person-name.ts';

const route = routesOf();
const tag = 'inbox';
const answer = z.object({ message: inboxMessageSchema });

const listInbox = route({
  method: 'GET',
  path: '/api/inbox',
  operationId: 'listInbox',
  summary: 'List the messages of agents to a person, newest first',
  description: 'A key that acts for a person lists the inbox of that person. Every other key names one.',
  tag,
  right: 'inbox.read',
  query: pageQuery.extend({
    person: personNameSchema.optional().describe('The person; a key that acts for one needs no name'),
    unread: z.enum(['true', 'false']).default('false').describe('Only messages that nobody has read'),
  }),
  answers: { 200: z.object({ messages: z.array(inboxMessageSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query: { person, unread, ...page }, actor, inWorkspace }) => {
    const filter = { ...page, person: toPerson(actor, person), unread: unread === 'true' };
    const { items, nextCursor } = await inWorkspace((trx) => createInboxRepository(trx).listMessages(filter));
    return { status: 200, data: { messages: items, nextCursor } };
  },
});

/** The person for whom a key acts takes precedence over the one that a request names. */
function toPerson({ actsFor }: Actor, named: string | undefined): string {
  const person = actsFor ?? named;
  if (person !== undefined) return person;
  throw createInvalidInput([
    { field: 'person', message: 'expected a person, since the API key acts for nobody' },
  ]);
}

const getInboxMessage = route({
  method: 'GET',
  path: '/api/inbox/:id',
  operationId: 'getInboxMessage',
  summary: 'Get a message of an inbox',
  tag,
  right: 'inbox.read',
  params: idParams,
  answers: { 200: answer },
  handler: async ({ params, actor: { actsFor }, inWorkspace }) => {
    const message = await inWorkspace((trx) => createInboxRepository(trx).getMessage(params.id, actsFor));
    return { status: 200, data: { message } };
  },
});

const changeInboxMessage = route({
  method: 'PATCH',
  path: '/api/inbox/:id',
  operationId: 'updateInboxMessage',
  summary: 'Mark a message of an inbox as read or unread',
  tag,
  right: 'inbox.write',
  params: idParams,
  body: z.strictObject({ read: z.boolean() }),
  answers: { 200: answer },
  handler: async ({ params, body, actor: { actsFor }, inWorkspace }) => {
    const message = await inWorkspace(async (trx) => {
      const inbox = createInboxRepository(trx);
      await inbox.getMessage(params.id, actsFor);
      return inbox.setRead(params.id, body.read);
    });
    return { status: 200, data: { message } };
  },
});

/** The endpoints of the inboxes of people. */
export const inboxRoutes = [listInbox, getInboxMessage, changeInboxMessage];
