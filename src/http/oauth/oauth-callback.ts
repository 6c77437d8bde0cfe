import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { finishAuthorization } from '../../connections/finish-authorization.ts';
import { authorizationCallbackPath } from '../../connections/start-authorization.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { isDatabaseOutage } from '../../lib/database-outage.ts';
import type { Dependencies } from '../server/api-dependencies.ts';
import { errorStatuses, toErrorInfo } from '../server/error-statuses.ts';
import { html } from '../server/html.ts';
import type { HttpServer } from '../server/server-type.ts';

const text = z.string().max(4000);

/** The parameters of RFC 6749, section 4.1.2; servers may add others. */
const answerSchema = z.object({
  state: text.min(1),
  code: text.optional(),
  error: text.optional(),
  error_description: text.optional(),
  iss: text.optional(),
});

/** The headers forbid scripts and frames, and keep the address, which contains the code, from other sites. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Adds the page to which an authorization server sends the browser after consent. It needs no API key: the `state` in
 * its address identifies the connection, and can be used once.
 */
export function addOAuthCallback(server: HttpServer, dependencies: Dependencies): void {
  server.get(
    authorizationCallbackPath,
    // A HEAD request would use up the state.
    { schema: { hide: true }, exposeHeadRoute: false },
    (request, reply) => answerBrowser(dependencies, request, reply),
  );
}

async function answerBrowser(
  dependencies: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.headers(pageHeaders);
  try {
    const { name } = await finish(dependencies, request.query);
    return await reply
      .code(200)
      .send(toPage('Connected', `${name} can be used now. You may close this page.`));
  } catch (error) {
    const { code, message } = toErrorInfo(error);
    // A refusal of the authorization server is not an error of this server.
    const status = code === 'AUTHORIZATION_FAILED' ? 400 : errorStatuses[code];
    if (isDatabaseOutage(error)) dependencies.databaseState.failed(error);
    else if (status >= 500) request.log.error({ err: error, code }, 'an authorization could not be finished');
    return reply.code(status).send(toPage('Not connected', message));
  }
}

async function finish(dependencies: Dependencies, query: unknown) {
  const parsed = answerSchema.safeParse(query);
  if (!parsed.success) {
    throw new HoldfastError(
      'INVALID_INPUT',
      'Expected the parameters of a redirect from an authorization server: state with code or error.',
    );
  }
  const { error_description: errorDescription, ...answer } = parsed.data;
  return finishAuthorization(dependencies, { ...answer, errorDescription });
}

const style = 'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem}';

function toPage(title: string, sentence: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} · Holdfast</title>
        <meta name="viewport" content="width=device-width" />
        <style>
          ${style}
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        <p>${sentence}</p>
      </body>
    </html>`.toString();
}
