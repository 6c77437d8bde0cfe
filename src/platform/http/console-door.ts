import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hidden } from './access.ts';
import { html } from '../lib/html.ts';
import type { Door } from './door.ts';
import { pageHeaders, toPage } from './page.ts';

/** The built console, and how people sign in to it. */
export interface ConsoleDependencies {
  /** The folder of the built console. @default no console is served */
  consoleFolder?: string | undefined;
  /** The identity providers at which people sign in. @default none */
  login?: { issuers: readonly string[] };
}

/**
 * The page runs its own scripts alone, and sends nothing to any other site. Its components add one style element, which has
 * the nonce of the answer.
 */
const toPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

const consoleHeaders = {
  ...pageHeaders,
  // Every build has other names of its files, so that the page is asked for each time and its files never again.
  'cache-control': 'no-cache',
  'referrer-policy': 'same-origin',
};

/** The first part of the path of a screen; the addresses of the API stay with the API, also those that nothing has. */
const screen = ':screen(^(?!api$|health$|v1$|\\.well-known$)[^/]+$)';

/**
 * Serves the console: its files, and its page at every address that a browser opens and nothing else has. Without a console
 * the first page is the API reference.
 */
export const consoleDoor: Door<ConsoleDependencies> = (server, { consoleFolder, login }) => {
  const access = {
    open: 'The files are the same for everybody; the page asks the API with the session of its browser.',
  };
  const options = hidden(access);
  if (consoleFolder === undefined) {
    server.get('/', options, (_request, reply) => reply.redirect('/api/reference'));
    return;
  }
  if (existsSync(path.join(consoleFolder, 'assets'))) {
    void server.register(async (assets) => {
      assets.addHook('onRoute', (route) => void Object.assign(route, { config: access }));
      await assets.register(fastifyStatic, {
        root: path.join(consoleFolder, 'assets'),
        prefix: '/assets/',
        index: false,
        immutable: true,
        maxAge: '365d',
        setHeaders: (reply) => {
          void reply.header('x-content-type-options', 'nosniff');
        },
      });
      assets.get('/icon.svg', options, (_request, reply) => reply.sendFile('icon.svg', consoleFolder));
    });
  }
  const answerPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.headers.accept?.includes('text/html') !== true) {
      reply.callNotFound();
      return reply;
    }
    const nonce = randomBytes(16).toString('base64');
    const hasLogin = login !== undefined && login.issuers.length > 0;
    const page = await readPage(consoleFolder, { nonce, hasLogin });
    return reply.headers({ ...consoleHeaders, 'content-security-policy': toPolicy(nonce) }).send(page);
  };
  for (const url of ['/', `/${screen}`, `/${screen}/*`]) server.get(url, options, answerPage);
};

async function readPage(
  folder: string,
  { nonce, hasLogin }: { nonce: string; hasLogin: boolean },
): Promise<string> {
  const text = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => null);
  if (text === null) return notBuilt;
  const methods = hasLogin ? 'openid' : '';
  return text.replace(
    '<head>',
    `<head><meta name="holdfast-sign-in" content="${methods}" /><meta property="csp-nonce" nonce="${nonce}" />`,
  );
}

const notBuilt = toPage(
  'The console is not built',
  html`<p>Run <code>npm run build:console</code>, and load this page again.</p>`,
);
