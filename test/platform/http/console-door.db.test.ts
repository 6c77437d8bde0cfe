import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type Api } from '../../labs/api-lab.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

let api: Api;

const consoleFolder = mkdtempSync(path.join(tmpdir(), 'holdfast-test-console-'));

beforeAll(async () => {
  mkdirSync(path.join(consoleFolder, 'assets'));
  writeFileSync(path.join(consoleFolder, 'index.html'), '<!doctype html><html><head></head></html>');
  writeFileSync(path.join(consoleFolder, 'secret.txt'), 'not for the browser');
  writeFileSync(path.join(consoleFolder, 'assets', 'index-abc.js'), 'export {};');
  writeFileSync(path.join(consoleFolder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  api = await startApi({ consoleFolder });
});
afterAll(async () => {
  await api.stop();
  rmSync(consoleFolder, { recursive: true });
});

const browse = (url: string, accept = 'text/html,*/*') => fetch(`${api.url}${url}`, { headers: { accept } });

describe('the console', () => {
  test.each(['/', '/runs', '/runs/some-id?view=raw', '/deep/er/path'])('is its page at %s', async (url) => {
    const response = await browse(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  test('allows its page its own scripts alone, and one style by a nonce that is new each time', async () => {
    const read = async () => {
      const response = await browse('/');
      const [, nonce] = /nonce="([^"]+)"/.exec(await response.text()) ?? [];
      return { nonce, policy: response.headers.get('content-security-policy') ?? '' };
    };
    const [one, other] = await Promise.all([read(), read()]);
    expect(one.nonce).not.toBe(other.nonce);
    expect(one.policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${one.nonce ?? ''}'`,
        "frame-ancestors 'none'",
      ]),
    );
  });

  test('lets browsers keep its files for ever, since each build names them anew', async () => {
    const response = await browse('/assets/index-abc.js', '*/*');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each([
    '/assets/none.js',
    '/secret.txt',
    '/assets/../secret.txt',
    '/assets/%2e%2e/secret.txt',
    '/../secret.txt',
  ])('serves nothing else: %s', async (url) => {
    const response = await browse(url, '*/*');
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('not for the browser');
  });

  test.each(['/api/nothing', '/api', '/health/nothing', '/v1/models'])(
    'leaves the addresses of the API to the API: %s',
    async (url) => {
      const response = await browse(url);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
    },
  );
});

test('without a console the first page is the reference of the API', async () => {
  const other = await startApi({ consoleFolder: undefined });
  try {
    const response = await fetch(other.url, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/api/reference']);
  } finally {
    await other.stop();
  }
});

test('a console that is not built yet says how to build it', async () => {
  const other = await startApi({ consoleFolder: path.join(createTemporaryFolder(), 'none') });
  try {
    const response = await fetch(other.url, { headers: { accept: 'text/html' } });
    expect(await response.text()).toContain('npm run build:console');
  } finally {
    await other.stop();
  }
});
