import { beforeAll, expect, test } from 'vitest';
import { createResultFileStore } from '../../../src/modules/files/create-result-file-store.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

async function store(text: string, parts: { mediaType: string; name?: string }): Promise<string> {
  const resultFiles = createResultFileStore(api);
  const { id } = await resultFiles.put({ workspaceId: api.workspaceId, bytes: Buffer.from(text), ...parts });
  return id;
}

function get(id: string, method = 'GET'): Promise<Response> {
  return fetch(`${api.url}/api/blobs/${id}`, { method, headers: { authorization: `Bearer ${api.key}` } });
}

test('a file is served with its bytes and its media type', async () => {
  const id = await store('%PDF-1.7', { mediaType: 'application/pdf', name: 'Bericht (1) für Ada.pdf' });
  const response = await get(id);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('%PDF-1.7');
  expect(response.headers.get('content-type')).toBe('application/pdf');
  expect(response.headers.get('content-length')).toBe('8');
  expect(response.headers.get('content-disposition')).toBe(
    "attachment; filename*=UTF-8''Bericht%20%281%29%20f%C3%BCr%20Ada.pdf",
  );
  const head = await get(id, 'HEAD');
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '8']);
});

test.each(['text/html', 'image/svg+xml', 'application/xhtml+xml'])(
  'a file of type %s is served so that the browser runs no script of it',
  async (mediaType) => {
    const response = await get(await store('<script>alert(1)</script>', { mediaType }));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': mediaType,
      'content-disposition': 'attachment',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  },
);

test('a file is not served without a key that reads files', async () => {
  const id = await store('secret', { mediaType: 'text/plain' });
  const limited = await api.createKey(api.workspaceId, ['agents:read']);
  const refused = await api.call('GET', `/api/blobs/${id}`, { key: limited });
  expect([refused.status, refused.error.code]).toEqual([403, 'FORBIDDEN']);
  const anonymous = await api.call('GET', `/api/blobs/${id}`, { key: null });
  expect(anonymous.status).toBe(401);
});

test('an unknown file is answered with 404', async () => {
  const { status, error } = await api.call('GET', `/api/blobs/${newId()}`);
  expect([status, error.code]).toEqual([404, 'NOT_FOUND']);
});
