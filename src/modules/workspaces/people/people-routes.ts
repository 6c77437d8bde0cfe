import { z } from 'zod';
import { createPeopleRepository } from './people-repository.ts';
import { personChangeSchema, personSchema } from './user-token.ts';
import { changePerson, personNotFound } from './change-person.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../../platform/http/schemas.ts';

const route = routesOf<WorkspaceDependencies>();
const tag = 'people';

const listPeople = route({
  method: 'GET',
  path: '/api/people',
  operationId: 'listPeople',
  summary: 'List the people who have signed in, newest first',
  tag,
  right: 'people.manage',
  query: pageQuery,
  answers: { 200: z.object({ people: z.array(personSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace }) => {
    const { items, nextCursor } = await inWorkspace((trx) => createPeopleRepository(trx).listPeople(query));
    return { status: 200, data: { people: items, nextCursor } };
  },
});

const getPersonRoute = route({
  method: 'GET',
  path: '/api/people/:id',
  operationId: 'getPerson',
  summary: 'Get a person who has signed in',
  tag,
  right: 'people.manage',
  params: idParams,
  answers: { 200: z.object({ person: personSchema }) },
  handler: async ({ params: { id }, inWorkspace }) => {
    const person = await inWorkspace((trx) => createPeopleRepository(trx).findPerson(id));
    if (!person) throw personNotFound(id);
    return { status: 200, data: { person } };
  },
});

const changePersonRoute = route({
  method: 'PATCH',
  path: '/api/people/:id',
  operationId: 'changePerson',
  summary: 'Deactivate a person, or let the person in again',
  description:
    'Requests of somebody deactivated are refused from now on, open streams end within seconds, and stored work of that ' +
    'person stops. The person may do no more than the caller, groups aside, and is the caller when that sees one person alone.',
  tag,
  right: 'people.manage',
  params: idParams,
  body: personChangeSchema,
  answers: { 200: z.object({ person: personSchema }) },
  handler: async ({ params: { id }, body, actor, dependencies }) => ({
    status: 200,
    data: { person: await changePerson(dependencies, actor, { id, ...body }) },
  }),
});

/** The endpoints of people who sign in at an identity provider. */
export const peopleRoutes = [listPeople, getPersonRoute, changePersonRoute];
