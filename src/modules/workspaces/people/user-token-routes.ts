import { z } from 'zod';
import { personNameSchema } from '../../../domain/person-name.ts';
import { userTokenInputSchema, userTokenSchema } from './user-token.ts';
import { endUserTokens, issueUserToken } from './user-tokens.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams } from '../../../platform/http/schemas.ts';

const route = routesOf<WorkspaceDependencies>();
const tag = 'people';

const createUserToken = route({
  method: 'POST',
  path: '/api/user-tokens',
  operationId: 'createUserToken',
  summary: 'Issue a token with which one person uses the API from a browser',
  description:
    'Only this answer contains the token itself, as `token`. It has the scopes of its roles that the API key has too, sees no ' +
    'more than the key, and ends with it. With `conversations` it reads and writes in these alone.',
  tag,
  right: 'userTokens.write',
  body: userTokenInputSchema,
  answers: { 201: z.object({ userToken: userTokenSchema, token: z.string() }) },
  handler: async ({ body, actor, dependencies }) => ({
    status: 201,
    data: await issueUserToken(dependencies, actor, body),
  }),
});

const endUserToken = route({
  method: 'DELETE',
  path: '/api/user-tokens/:id',
  operationId: 'endUserToken',
  clientName: 'userTokens.end',
  summary: 'End a user token',
  description:
    'A key ends the tokens that it has issued, and one with `api_keys:write` those of other keys that may do no more than itself.',
  tag,
  right: 'userTokens.write',
  params: idParams,
  answers: { 200: z.object({ ended: z.int() }) },
  handler: async ({ params, actor, dependencies }) => ({
    status: 200,
    data: await endUserTokens(dependencies, actor, params),
  }),
});

const endUserTokensOfPerson = route({
  method: 'DELETE',
  path: '/api/user-tokens',
  operationId: 'endUserTokens',
  clientName: 'userTokens.endAll',
  summary: 'End all user tokens of a person',
  tag,
  right: 'userTokens.write',
  query: z.strictObject({ person: personNameSchema }),
  answers: { 200: z.object({ ended: z.int() }) },
  handler: async ({ query, actor, dependencies }) => ({
    status: 200,
    data: await endUserTokens(dependencies, actor, query),
  }),
});

/** The endpoints of user tokens. */
export const userTokenRoutes = [createUserToken, endUserToken, endUserTokensOfPerson];
