import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { routes } from '../../../../src/main/rest-routes.ts';
import { type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';

let api: Api;
let page: string;
let policy: string;

beforeAll(async () => {
  api = await shareApi();
  const response = await fetch(`${api.url}/api/reference`);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  page = await response.text();
  policy = response.headers.get('content-security-policy') ?? '';
});

/** Loads an address that the page names, as a browser would resolve it. */
function load(address: string): Promise<Response> {
  return fetch(new URL(address, `${api.url}/api/reference`));
}

test('the reference page loads nothing from another server, and its script is served by this one', async () => {
  expect(page).not.toMatch(/https?:|src="\/\/|@import|url\(/);
  const scripts = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  expect(scripts).toEqual(['reference/js/scalar.js']);
  const script = await load(scripts[0] ?? '');
  expect([script.status, script.headers.get('content-type')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
  ]);
  expect((await script.text()).length).toBeGreaterThan(1_000_000);
});

test('the reference page shows the document of this API with every endpoint', async () => {
  const [, address = ''] = /"url": "([^"]+)"/.exec(page) ?? [];
  const response = await load(address);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  expect(Object.values(paths).flatMap((methods) => Object.keys(methods))).toHaveLength(routes.length);
});

test('the reference page sends no telemetry and has no link to a service of its vendor', () => {
  expect(page).toContain('"telemetry": false');
  expect(page).toContain('"withDefaultFonts": false');
  expect(page).not.toContain('proxyUrl');
});

test('the content policy allows this origin and the inline script that starts the page', () => {
  const [, inlineScript = ''] = /<script type="text\/javascript">([^]*?)<\/script>/.exec(page) ?? [];
  const hash = createHash('sha256').update(inlineScript).digest('base64');
  expect(inlineScript).toContain('createApiReference');
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
});
