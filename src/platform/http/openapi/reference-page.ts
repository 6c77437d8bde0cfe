import { createHash } from 'node:crypto';
import fastify from 'fastify';
import { hidden } from '../access.ts';
import type { HttpServer } from '../server-type.ts';

const pagePath = '/api/reference';
const scriptPath = `${pagePath}/js/scalar.js`;

/** The page loads its script and the OpenAPI document from this server, and calls no service of its vendor. */
const configuration = {
  // Relative to the address of the page, so that a proxy may add a prefix.
  url: 'openapi.json',
  cdn: 'reference/js/scalar.js',
  pageTitle: 'Holdfast API',
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'apiKey' },
} as const;

interface ReferencePage {
  html: string;
  script: Buffer;
  policy: string;
}

/** Serves the API reference as a page with a search and a form to try calls. */
export function addReferencePage(server: HttpServer): void {
  let loaded: Promise<ReferencePage> | undefined;
  const load = () => {
    loaded ??= loadPage().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  const options = hidden({ open: 'It is the same for everybody.' });
  server.get(pagePath, options, async (_request, reply) => {
    const { html, policy } = await load();
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .send(html);
  });
  server.get(scriptPath, options, async (_request, reply) => {
    const { script } = await load();
    return reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('cache-control', 'max-age=3600')
      .send(script);
  });
}

/**
 * Reads the page and its script from the plugin. The plugin is loaded with the first request, since it takes longer to
 * load than the rest of the API.
 */
async function loadPage(): Promise<ReferencePage> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const renderer = fastify();
  await renderer.register(scalar, { routePrefix: '/reference', configuration });
  const page = await renderer.inject('/reference/');
  const script = await renderer.inject('/reference/js/scalar.js');
  await renderer.close();
  if (page.statusCode !== 200 || script.statusCode !== 200)
    throw new Error('the reference page has no script');
  return { html: page.payload, script: script.rawPayload, policy: toPolicy(page.payload) };
}

/** Allows the page its script, the inline script that starts it, styles, and calls to the server it came from. */
function toPolicy(html: string): string {
  const [, inlineScript] = /<script type="text\/javascript">([^]*?)<\/script>/.exec(html) ?? [];
  if (inlineScript === undefined) throw new Error('the reference page has no script that starts it');
  const hash = createHash('sha256').update(inlineScript).digest('base64');
  return [
    `default-src 'none'`,
    `script-src 'self' 'sha256-${hash}'`,
    `style-src 'unsafe-inline'`,
    `img-src data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
