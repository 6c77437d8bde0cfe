import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { HoldfastError } from '../../../domain/errors.ts';
import { sessionInputSchema } from './session.ts';
import { hidden } from '../../../platform/http/access.ts';
import { html } from '../../../platform/lib/html.ts';
import type { Login } from './login.ts';
import { openSession } from './sessions.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';
import { readCookie, toCookie } from '../../../platform/http/cookies.ts';
import { failPage } from '../../../platform/http/failed-page.ts';
import { pageHeaders, toPage } from '../../../platform/http/page.ts';
import type { ServerDependencies } from '../../../platform/http/server-dependencies.ts';
import type { HttpServer } from '../../../platform/http/server-type.ts';
import { toSessionCookie } from '../../../platform/http/session-cookie.ts';

const loginPath = '/api/login';
const callbackPath = `${loginPath}/callback`;

/** A path of this origin: a browser takes `//host` and `/\\host` for another one. */
const returnTo = z
  .string()
  .max(2_000)
  .regex(/^\/(?![/\\])[\x21-\x7e]*$/, 'expected a path of this page');

const startSchema = z.object({ provider: z.string().max(500).optional(), returnTo: returnTo.default('/') });

/** The content of the cookie that a browser keeps while it is at its provider. */
const pendingSchema = z.object({
  ...{ issuer: z.string(), state: z.string(), nonce: z.string(), verifier: z.string() },
  returnTo,
});

const cookieName = 'holdfast_login';
const cookieSeconds = 600;

/** Everything that the pages of the sign-in need from outside. */
export interface LoginDependencies
  extends WorkspaceDependencies, Pick<ServerDependencies, 'databaseState' | 'publicUrl'> {
  /** Lets people sign in with a browser. @default none can */
  login?: Login;
}

/**
 * Adds the pages with which a browser signs in at an identity provider, and gets a session: the start, which sends it there,
 * and the address at which it comes back. Without a provider for browsers there are none.
 */
export function addLoginPages(server: HttpServer, dependencies: LoginDependencies): void {
  const { login } = dependencies;
  if (!login || login.issuers.length === 0) return;
  const access = { open: 'A person signs in here: the identity provider says who it is.' };
  const options = { ...hidden(access), exposeHeadRoute: false };
  const pages = { dependencies, login };
  server.get(loginPath, options, (request, reply) => answer(pages, { request, reply, respond: start }));
  server.get(callbackPath, options, (request, reply) => answer(pages, { request, reply, respond: finish }));
}

interface LoginPages {
  dependencies: LoginDependencies;
  login: Login;
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Returns the page, which is empty with a redirect. */
type Respond = (pages: LoginPages, exchange: Exchange) => Promise<string>;

async function answer(pages: LoginPages, { respond, ...exchange }: Exchange & { respond: Respond }) {
  const { request, reply } = exchange;
  reply.headers(pageHeaders);
  try {
    return await reply.send(await respond(pages, exchange));
  } catch (error) {
    const { dependencies } = pages;
    const message = failPage({ dependencies, request, reply, error, line: 'a sign-in failed' });
    const again = html`<p>${message}</p>
      <p><a href="${toUrl(pages, loginPath)}">Sign in again</a></p>`;
    return reply.send(toPage('Not signed in', again));
  }
}

const start: Respond = async (pages, { request, reply }) => {
  const { provider, returnTo } = parse(startSchema, request.query);
  const { issuers } = pages.login;
  const issuer = provider ?? (issuers.length === 1 ? issuers[0] : undefined);
  if (issuer === undefined) return toPage('Sign in', toChoice(pages, returnTo));
  const { url, pending } = await pages.login.begin(issuer, toUrl(pages, callbackPath));
  const value = Buffer.from(JSON.stringify({ ...pending, returnTo })).toString('base64url');
  reply.code(302).headers({ location: url, 'set-cookie': toLoginCookie(pages, value) });
  return '';
};

function toChoice(pages: LoginPages, returnTo: string) {
  const links = pages.login.issuers.map((issuer) => {
    const query = new URLSearchParams({ provider: issuer, returnTo });
    return html`<p><a href="${toUrl(pages, loginPath)}?${query.toString()}">${issuer}</a></p>`;
  });
  return html`<p>Choose where you have your account.</p>
    ${links}`;
}

/**
 * The browser is sent on by its page and not by a redirect: it was sent here by another site, and would not send the cookie of
 * the session along a chain of redirects (RFC 6265bis, "SameSite").
 */
const finish: Respond = async (pages, { request, reply }) => {
  const { returnTo, ...pending } = readPending(request);
  // A sign-in ends here, however it ends.
  reply.header('set-cookie', toLoginCookie(pages, null));
  const redirectUri = toUrl(pages, callbackPath);
  const parameters = new URL(request.url, redirectUri).searchParams;
  const person = await pages.login.finish({ pending, parameters, redirectUri });
  const opened = await openSession(pages.dependencies, person, sessionInputSchema.parse({}));
  const session = toSessionCookie(pages.dependencies.publicUrl(), opened);
  reply.header('set-cookie', session).header('refresh', `0; url=${returnTo}`);
  return toPage('Signed in', html`<p><a href="${returnTo}">Go on</a></p>`);
};

function readPending(request: FastifyRequest): z.infer<typeof pendingSchema> {
  try {
    const text = Buffer.from(readCookie(request, cookieName) ?? '', 'base64url').toString();
    return pendingSchema.parse(JSON.parse(text));
  } catch {
    throw new HoldfastError('AUTHORIZATION_FAILED', 'This browser has begun no sign-in, or too long ago.');
  }
}

/** The provider sends the browser back from another site, so the cookie is not a strict one. */
function toLoginCookie({ dependencies }: LoginPages, value: string | null): string {
  const cookie = { name: cookieName, value, publicUrl: dependencies.publicUrl(), path: loginPath };
  return toCookie({ ...cookie, sameSite: 'Lax', maxAgeSeconds: cookieSeconds });
}

function toUrl({ dependencies }: LoginPages, path: string): string {
  return `${dependencies.publicUrl()}${path}`;
}

function parse<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HoldfastError('INVALID_INPUT', 'Expected "returnTo" with a path, and "provider" with an issuer.');
}
