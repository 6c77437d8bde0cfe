import { expect, onTestFinished, test } from 'vitest';
import { startVendorServer } from '../../servers/vendor-server.ts';
import { startBazaar } from './bazaar-lab.ts';

const fileId = '01982f5e-7a60-7c3e-8d2b-3f1a5b6c7d8e';
const file = { name: 'té "1".txt', mediaType: 'text/plain', bytes: Buffer.from('Tea\r\nat 4') };

test('fields get the vendor’s names, and lists, fixed fields and headers are sent', async () => {
  const bazaar = await startBazaar(() => ({ body: { data: { found: [{ id: 1, more: 'x' }] } } }));
  expect(await bazaar.read('find', { filter: 'a eq 1', ids: [1, 2] })).toEqual([{ id: 1 }]);
  expect(bazaar.targets()).toEqual(['/find?alt=json&%24filter=a+eq+1&ids=1%2C2']);
  expect(bazaar.server.requests[0]?.headers['prefer']).toBe('small');
});

test('a nested form has brackets, and the key of the call is a field', async () => {
  const bazaar = await startBazaar();
  const input = {
    items: [
      { price: 'p_1', count: 2 },
      { price: 'p_2', count: 1 },
    ],
    note: null,
    paid: true,
  };
  await bazaar.call('order', input, { idempotencyKey: 'key-1' });
  expect(decodeURIComponent(bazaar.server.requests[0]?.body ?? '')).toBe(
    'items[0][price]=p_1&items[0][count]=2&items[1][price]=p_2&items[1][count]=1&note=&paid=true&request_id=key-1',
  );
});

test('a body can be wrapped, beside fields of the query', async () => {
  const bazaar = await startBazaar();
  await bazaar.call('wrapOrder', { note: 'Hi', loud: true });
  expect(bazaar.server.requests).toMatchObject([
    { target: '/wrapped?loud=true', body: '{"order":{"note":"Hi"}}' },
  ]);
});

test('a stored file is a part of a multipart body, the same bytes each time', async () => {
  const bazaar = await startBazaar();
  bazaar.files.set(fileId, file);
  const input = { file: fileId, title: 'Té', labels: ['a'] };
  await bazaar.call('uploadPart', input);
  await bazaar.call('uploadPart', input);
  const [first, second] = bazaar.server.requests;
  const boundary = /boundary=(.*)$/.exec(first?.headers['content-type'] ?? '')?.[1] ?? '';
  expect(first?.body.split(`--${boundary}`)).toEqual([
    '',
    '\r\nContent-Disposition: form-data; name="file"; filename="té %221%22.txt"\r\n' +
      'Content-Type: text/plain\r\n\r\nTea\r\nat 4\r\n',
    '\r\nContent-Disposition: form-data; name="title"\r\n\r\nTé\r\n',
    '\r\nContent-Disposition: form-data; name="labels"\r\n\r\n["a"]\r\n',
    '--\r\n',
  ]);
  expect(second?.body).toBe(first?.body);
});

test('a related body has the fields as JSON, and then the file', async () => {
  const bazaar = await startBazaar();
  bazaar.files.set(fileId, file);
  await bazaar.call('uploadRelated', { file: fileId, title: 'Té' });
  const [sent] = bazaar.server.requests;
  const [, boundary = ''] =
    /^multipart\/related; boundary=(.*)$/.exec(sent?.headers['content-type'] ?? '') ?? [];
  expect(sent?.target).toBe('/related?kind=multipart');
  expect(sent?.body.split(`--${boundary}`)).toEqual([
    '',
    '\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{"title":"Té"}\r\n',
    '\r\nContent-Type: text/plain\r\n\r\nTea\r\nat 4\r\n',
    '--\r\n',
  ]);
});

test('headers are filled from the input, and a list of a form is a field that is repeated', async () => {
  const bazaar = await startBazaar();
  await bazaar.call('announce', { from: 'ana@example.com', urls: ['https://a.example/?b=1', 'c'] });
  const [sent] = bazaar.server.requests;
  expect(sent?.body).toBe('urls=https%3A%2F%2Fa.example%2F%3Fb%3D1&urls=c');
  expect(sent?.headers).toMatchObject({ from: '<ana@example.com>', kind: 'news' });
  expect(sent?.headers).not.toHaveProperty('trace');
});

test.each(['a\r\nX-Token: b', 'é', ''])(
  'the value %j cannot stand in a header, and nothing is sent',
  async (from) => {
    const bazaar = await startBazaar();
    expect(await bazaar.call('announce', { from, urls: [] })).toMatchObject({
      error: { code: 'INVALID_TOOL_ARGUMENTS', details: [{ field: 'from' }] },
    });
    expect(bazaar.server.requests).toEqual([]);
  },
);

test('a stored file is the whole of a raw body, and base64 in JSON', async () => {
  const bazaar = await startBazaar();
  bazaar.files.set(fileId, file);
  await bazaar.call('uploadRaw', { file: fileId, path: '/a' });
  await bazaar.call('attach', { files: [fileId, fileId] });
  const text = Buffer.from(file.bytes).toString('base64');
  expect(bazaar.server.requests).toMatchObject([
    {
      body: 'Tea\r\nat 4',
      headers: { 'content-type': 'application/octet-stream', 'bazaar-arg': '{"path":"/a"}' },
    },
    { body: JSON.stringify({ files: [text, text] }) },
  ]);
});

test('a file that the workspace does not have is an invalid argument, and nothing is sent', async () => {
  const bazaar = await startBazaar();
  expect(await bazaar.call('attach', { files: [fileId] })).toMatchObject({
    error: { code: 'INVALID_TOOL_ARGUMENTS', details: [{ field: 'files' }] },
  });
  expect(bazaar.server.requests).toEqual([]);
});

test('a binary answer is stored, and the result has its id', async () => {
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="a/b.pdf"',
  };
  const bazaar = await startBazaar(() => ({ body: '%PDF', headers }));
  const stored = { id: 'file-1', name: 'b.pdf', mediaType: 'application/pdf', bytes: 4 };
  expect(await bazaar.read('download', { id: '7' }, { turnId: 'turn-1' })).toEqual({ file: stored });
  expect(bazaar.stored).toMatchObject([{ mediaType: 'application/pdf', name: 'b.pdf', turnId: 'turn-1' }]);
});

test('a file on another host is fetched without the credentials of the connection', async () => {
  const bazaar = await startBazaar();
  const files = await startVendorServer(() => ({
    body: '%PDF',
    headers: { 'content-type': 'application/pdf' },
  }));
  onTestFinished(() => files.close());
  const location = `${files.url.replace('127.0.0.1', 'localhost')}/7.pdf?signature=abc`;
  bazaar.server.next({ status: 302, headers: { location } });
  const file = { id: 'file-1', name: null, mediaType: 'application/pdf', bytes: 4 };
  expect(await bazaar.read('download', { id: '7' })).toEqual({ file });
  expect(bazaar.server.requests[0]?.headers).toHaveProperty('authorization');
  expect(files.requests.map(({ target }) => target)).toEqual(['/7.pdf?signature=abc']);
  expect(files.requests[0]?.headers).not.toHaveProperty('authorization');
});

test('a file whose address leads on without end is a failure, and nothing is stored', async () => {
  const bazaar = await startBazaar(() => ({ status: 302, headers: { location: '/next' } }));
  await expect(bazaar.call('download', { id: '7' })).rejects.toThrow('redirects are not followed');
  expect(bazaar.server.requests).toHaveLength(4);
  expect(bazaar.stored).toEqual([]);
});

test('a file that is too large is not stored, and an error is told instead of stored', async () => {
  const bazaar = await startBazaar();
  bazaar.server.next({ body: 'x'.repeat(20 * 1024 * 1024 + 1) }, { status: 404, body: { message: 'Gone' } });
  expect(await bazaar.call('download', { id: '7' })).toMatchObject({ error: { code: 'RESPONSE_TOO_LARGE' } });
  expect(await bazaar.call('download', { id: '7' })).toMatchObject({ error: { message: 'Bazaar: Gone' } });
  expect(bazaar.stored).toEqual([]);
});

test('GraphQL sends the document with variables, and its errors inside a 200 are failures', async () => {
  const bazaar = await startBazaar();
  bazaar.server.next(
    { body: { data: { issue: { title: 'It leaks' } } } },
    { body: { data: null, errors: [{ message: 'No such issue' }] } },
  );
  expect(await bazaar.read('findIssue', { id: 'I1' })).toEqual({ title: 'It leaks' });
  expect(await bazaar.call('findIssue', { id: 'I2' })).toMatchObject({
    error: { code: 'TOOL_FAILED', message: 'Bazaar: No such issue' },
  });
  expect(JSON.parse(bazaar.server.requests[0]?.body ?? '')).toEqual({
    query: 'query($id: ID!) { issue(id: $id) { title } }',
    variables: { id: 'I1' },
  });
});

test('an error inside a 200 is a failure with its details', async () => {
  const problems = { name: ['is taken', 'is short'], '': { field: 'a', code: 'b' } };
  const bazaar = await startBazaar(() => ({ body: { ok: false, message: 'Refused', problems } }));
  expect(await bazaar.call('wrapOrder', { note: 'x' })).toMatchObject({
    error: { message: 'Bazaar: Refused: name: is taken, is short; : a b' },
  });
});

test('a call without its scopes names them, and nothing is sent', async () => {
  const bazaar = await startBazaar();
  const input = { items: [], paid: false };
  const call = (scopes: string[]) => bazaar.call('order', input, { scopes });
  expect(await call(['orders:read'])).toMatchObject({
    error: {
      code: 'CONNECTION_SCOPE_MISSING',
      message: expect.stringContaining('order needs the scope orders:write') as string,
      details: { missing: ['orders:write'] },
    },
  });
  expect(await call([])).toMatchObject({ error: { details: { missing: ['orders:write', 'orders:read'] } } });
  expect(bazaar.server.requests).toEqual([]);
  expect(await call(['orders:write', 'orders'])).toMatchObject({ status: 'succeeded' });
});

test('a job is polled to its end', async () => {
  const bazaar = await startBazaar();
  bazaar.server.next(
    { body: { job: { id: 'j 1', state: 'new' } } },
    { body: { job: { state: 'running' } } },
    { body: { job: { state: 'done', url: 'https://x.example/1' }, noise: 1 } },
    { body: { job: { id: 'j2', state: 'new' } } },
    { body: { job: { state: 'broken' } } },
  );
  expect(await bazaar.read('startExport', { kind: 'csv' })).toEqual({
    job: { state: 'done', url: 'https://x.example/1' },
  });
  expect(bazaar.targets()).toEqual(['/exports', '/exports/csv/j%201', '/exports/csv/j%201']);
  expect(await bazaar.call('startExport', { kind: 'csv' })).toMatchObject({
    error: { message: 'Bazaar: The job ended as broken.', details: { job: { state: 'broken' } } },
  });
});

test('a job that outlasts the call, or cannot be asked for, is an answer that says how to ask later', async () => {
  const bazaar = await startBazaar(() => ({ body: { job: { id: 'j1', state: 'running' } } }));
  const pending = {
    finished: false,
    state: 'running',
    note: expect.stringContaining('ask later with bazaar_getExport') as string,
    ask_later_with: { kind: 'csv', id: 'j1' },
  };
  expect(await bazaar.read('startExport', { kind: 'csv' }, { timeoutMs: 300 })).toMatchObject(pending);
  bazaar.server.next(
    { body: { job: { id: 'j1', state: 'running' } } },
    { status: 500, body: { message: 'Ouch' } },
  );
  expect(await bazaar.read('startExport', { kind: 'csv' })).toMatchObject(pending);
});

test.each([
  ['the vendor’s second of the clock', { headers: { 'x-reset': '4102444800' } }, 86_400_000],
  ['the vendor’s millisecond of the clock', { headers: { 'x-reset-ms': '4102444800000' } }, 86_400_000],
  ['a date of the vendor', { headers: { 'x-reset-at': '2100-01-01T00:00:00Z' } }, 86_400_000],
  ['fractions of seconds in the body', { body: { retry_after: 64.57 } }, 64_570],
  ['a date', { headers: { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' } }, 86_400_000],
  ['seconds, when the vendor’s own form is missing', { headers: { 'retry-after': '90' } }, 90_000],
])('a refused call waits for %s', async (_, reply, retryAfterMs) => {
  const bazaar = await startBazaar(() => ({ status: 429, ...reply }));
  expect(await bazaar.call('wrapOrder', { note: 'x' })).toMatchObject({
    error: { code: 'RATE_LIMITED', details: { retryAfterMs } },
  });
});

test('a rate limit inside a 200 is waited for', async () => {
  const bazaar = await startBazaar();
  bazaar.server.next({ body: { errors: [{ code: 'RATE' }], retry_after: 0.1 } }, { body: { fine: true } });
  expect(await bazaar.read('wrapOrder', { note: 'x' })).toEqual({ fine: true });
  expect(bazaar.server.requests).toHaveLength(2);
});
