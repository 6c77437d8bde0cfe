import { z } from 'zod';
import type { KeyActor } from '../../../domain/actor.ts';
import { identitySchema, sessionInputSchema, type Identity } from './session.ts';
import { endSession, openSession } from './sessions.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';
import { routesOf } from '../../../platform/http/route.ts';
import type { ServerDependencies } from '../../../platform/http/server-dependencies.ts';
import { toSessionCookie } from '../../../platform/http/session-cookie.ts';

const route = routesOf<WorkspaceDependencies & Pick<ServerDependencies, 'publicUrl'>>();
const tag = 'people';
const answer = z.object({ identity: identitySchema });

const createSession = route({
  method: 'POST',
  path: '/api/session',
  operationId: 'openSession',
  clientName: 'session.open',
  summary: 'Open a session for a browser',
  description:
    'Sets a cookie that no script reads, with which pages of Holdfast send requests. They may do what the key or token of ' +
    'this request may do at the time, and the session ends with it.',
  tag,
  right: 'sessions.own',
  body: sessionInputSchema,
  answers: { 201: answer },
  handler: async ({ body, actor, dependencies }) => {
    const opened = await openSession(dependencies, actor, body);
    const cookie = toSessionCookie(dependencies.publicUrl(), opened);
    const identity = toIdentity(opened.actor);
    return { status: 201, data: { identity }, headers: { 'set-cookie': cookie } };
  },
});

const getSession = route({
  method: 'GET',
  path: '/api/session',
  operationId: 'getSession',
  clientName: 'session.get',
  summary: 'Get who sends the request',
  tag,
  right: 'sessions.own',
  answers: { 200: answer },
  handler: ({ actor }) => Promise.resolve({ status: 200, data: { identity: toIdentity(actor) } }),
});

const deleteSession = route({
  method: 'DELETE',
  path: '/api/session',
  operationId: 'endSession',
  clientName: 'session.end',
  summary: 'End the session of a browser',
  description: 'Its cookie is refused from now on, and its open streams end within seconds.',
  tag,
  right: 'sessions.own',
  answers: { 200: z.object({ ended: z.literal(true) }) },
  errors: ['CONFLICT'],
  handler: async ({ actor, dependencies }) => {
    await endSession(dependencies, actor);
    const cookie = toSessionCookie(dependencies.publicUrl(), null);
    return { status: 200, data: { ended: true }, headers: { 'set-cookie': cookie } };
  },
});

function toIdentity({ workspaceId, actsFor, scopes, groups, reach, session }: KeyActor): Identity {
  return {
    ...{ workspaceId, person: actsFor, scopes: [...scopes], groups: [...groups], reach },
    sessionExpiresAt: session?.expiresAt ?? null,
  };
}

/** The endpoints of the session of a browser. */
export const sessionRoutes = [createSession, getSession, deleteSession];
