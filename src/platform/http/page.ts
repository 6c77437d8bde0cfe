import type { FastifyInstance } from 'fastify';
import { html, type Html } from '../lib/html.ts';

/** The headers of pages: they forbid scripts and frames, and keep the address, which may hold a secret, from other sites. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const style = `
body{font:16px/1.5 system-ui,sans-serif;color:#1f2328;background:#f6f7f9;margin:0;padding:12vh 1rem}
main{background:#fff;border:1px solid #d8dce1;border-radius:8px;max-width:34rem;margin:0 auto;padding:1.5rem 2rem 2rem}
h1{font-size:1.5rem;margin:0 0 1rem;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.4rem 1.25rem;margin:1.25rem 0}
dt{color:#59636e}dd{margin:0;overflow-wrap:anywhere}
form{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;margin-top:1.5rem}
button{font:inherit;padding:.5rem 1.25rem;border-radius:6px;border:1px solid #8c959f;background:#fff;cursor:pointer}
button.main{background:#1f6feb;border-color:#1f6feb;color:#fff}
pre{background:#f6f7f9;border:1px solid #d8dce1;border-radius:6px;padding:.75rem 1rem;margin:1rem 0;white-space:pre-wrap}
pre,textarea{font:14px/1.5 ui-monospace,monospace;overflow-wrap:anywhere;direction:ltr;unicode-bidi:isolate}
label,details{flex-basis:100%}summary{cursor:pointer;color:#0b5cd5}
textarea,input[type=text]{width:100%;box-sizing:border-box;padding:.5rem;border:1px solid #8c959f;border-radius:6px}
input[type=text]{font:inherit}
.problem{color:#b3261e;overflow-wrap:anywhere}
a{color:#0b5cd5}`;

/** Writes a page with a title and a body, which says everything in one column. */
export function toPage(title: string, body: Html): string {
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
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`.toString();
}

/** Lets a part of a server read the forms of pages. */
export function addFormBodies(server: Pick<FastifyInstance, 'addContentTypeParser'>): void {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, parsed) => parsed(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}
