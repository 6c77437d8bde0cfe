import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { toPendingId } from './bound-state.ts';
import type { ConnectionDependencies } from '../connection-dependencies.ts';
import { openConsent, readConsent, refuseConsent } from './consent.ts';
import { finishAuthorization } from './finish-authorization.ts';
import { authorizationCallbackPath, authorizationStartPath } from './start-authorization.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { failPage } from '../../../platform/http/failed-page.ts';
import { addFormBodies, pageHeaders } from '../../../platform/http/page.ts';
import type { ServerDependencies } from '../../../platform/http/server-dependencies.ts';
import { hidden } from '../../../platform/http/access.ts';
import type { HttpServer } from '../../../platform/http/server-type.ts';
import { findConsentCookie, setConsentCookie } from './consent-cookie-http-answer.ts';
import { toConsentPage, toEndPage } from './oauth-http-answer.ts';

const text = z.string().max(4000);

const startSchema = z.object({ request: text.min(1) });

/** The parameters of RFC 6749, section 4.1.2; servers may add others. */
const answerSchema = z.object({
  state: text.min(1),
  code: text.optional(),
  error: text.optional(),
  error_description: text.optional(),
  iss: text.optional(),
});

/** The form of the page that asks the person. */
const decisionSchema = answerSchema.extend({ decision: z.enum(['connect', 'refuse']) });

type ConsentDependencies = ConnectionDependencies & Pick<ServerDependencies, 'databaseState'>;

type Answer = (
  dependencies: ConsentDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<string | null>;

/**
 * Adds the pages of a consent, for a browser without an API key: the start, which binds the consent to this browser with
 * a cookie and redirects it to the authorization server; the callback, which names the connection and the workspace; and
 * its form, which stores the tokens when the person agrees.
 */
export function addOAuthCallback(server: HttpServer, dependencies: ConsentDependencies): void {
  void server.register((pages, _options, done) => {
    addFormBodies(pages);
    const access = { open: 'The state of an authorization, which a caller with a right began, is checked.' };
    const options = { ...hidden(access), exposeHeadRoute: false };
    const toHandler = (answer: Answer) => (request: FastifyRequest, reply: FastifyReply) =>
      answerBrowser(dependencies, { request, reply, answer });
    pages.get(authorizationStartPath, options, toHandler(start));
    pages.get(authorizationCallbackPath, options, toHandler(ask));
    pages.post(authorizationCallbackPath, options, toHandler(decide));
    done();
  });
}

interface BrowserRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Returns the page, or null when it has set a redirect. */
  answer: Answer;
}

async function answerBrowser(
  dependencies: ConsentDependencies,
  { request, reply, answer }: BrowserRequest,
): Promise<FastifyReply> {
  reply.headers(pageHeaders);
  try {
    const page = await answer(dependencies, request, reply);
    return await reply.send(page ?? '');
  } catch (caught) {
    const { error, returnUrl } =
      caught instanceof ConsentFailed
        ? { error: caught.cause, returnUrl: caught.returnUrl }
        : { error: caught, returnUrl: null };
    const line = 'an authorization could not be finished';
    const message = failPage({ dependencies, request, reply, error, line });
    return reply.send(toEndPage('Not connected', message, returnUrl));
  }
}

const start: Answer = async (dependencies, { query }, reply) => {
  const { request: id } = parse(startSchema, query, 'the link that Holdfast gave for this consent');
  const { url, browser } = await openConsent(dependencies, id);
  setConsentCookie(reply, { id, publicUrl: dependencies.publicUrl(), browser });
  reply.code(302).header('location', url);
  return null;
};

const redirectExpected =
  'the parameters of a redirect from an authorization server: state with code or error';

/** An answer without a code is the refusal of the authorization server, which ends the authorization. */
const ask: Answer = async (dependencies, request, reply) => {
  const answer = parse(answerSchema, request.query, redirectExpected);
  const returned = toReturned(request, answer);
  if (answer.code === undefined || answer.error !== undefined) return finish(dependencies, returned, reply);
  const consent = await readConsent(dependencies, returned);
  const { state, code, iss } = answer;
  const publicUrl = dependencies.publicUrl();
  return toConsentPage(consent, {
    action: `${publicUrl}${authorizationCallbackPath}`,
    startUrl: toStartUrl(publicUrl, consent.id),
    fields: { state, code, iss },
  });
};

const decide: Answer = async (dependencies, request, reply) => {
  const answer = parse(decisionSchema, request.body, 'the form of the page that asks for the consent');
  const returned = toReturned(request, answer);
  if (answer.decision === 'connect') return finish(dependencies, returned, reply);
  const { returnUrl } = await readConsent(dependencies, returned);
  await refuseConsent(dependencies, returned);
  forget(dependencies, returned.state, reply);
  return toEndPage('Not connected', 'Nothing was stored. You may close this page.', returnUrl);
};

async function finish(
  dependencies: ConsentDependencies,
  returned: ReturnType<typeof toReturned>,
  reply: FastifyReply,
): Promise<string> {
  const { returnUrl } = await readConsent(dependencies, returned);
  forget(dependencies, returned.state, reply);
  try {
    const { name } = await finishAuthorization(dependencies, returned);
    return toEndPage('Connected', `${name} can be used now. You may close this page.`, returnUrl);
  } catch (error) {
    throw returnUrl === null ? error : new ConsentFailed(error, returnUrl);
  }
}

/** Adds the way back to the error of a consent that failed. */
class ConsentFailed extends Error {
  readonly returnUrl: string;

  constructor(cause: unknown, returnUrl: string) {
    super('a consent failed', { cause });
    this.returnUrl = returnUrl;
  }
}

function forget(dependencies: ConsentDependencies, state: string, reply: FastifyReply): void {
  const publicUrl = dependencies.publicUrl();
  setConsentCookie(reply, { id: toPendingId(state), publicUrl, browser: null });
}

function toReturned(request: FastifyRequest, answer: z.infer<typeof answerSchema>) {
  const { error_description: errorDescription, state, code, error, iss } = answer;
  const browser = findConsentCookie(request, toPendingId(state));
  return { state, code, error, errorDescription, iss, browser };
}

function toStartUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${authorizationStartPath}?request=${encodeURIComponent(id)}`;
}

function parse<Value>(schema: z.ZodType<Value>, value: unknown, expected: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HoldfastError('INVALID_INPUT', `Expected ${expected}.`);
}
