import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startApi, type Api } from '../../labs/api-lab.ts';
import { startTcpProxy, type TcpProxy } from '../../servers/tcp-proxy.ts';

let api: Api;
let proxy: TcpProxy;
beforeAll(async () => {
  const toDatabaseUrl = async (url: string) => {
    proxy = await startTcpProxy(url);
    return proxy.url;
  };
  api = await startApi({}, {}, { toDatabaseUrl });
});
afterAll(async () => {
  await api.stop();
  await proxy.close();
});

interface Line {
  level: number;
  msg: string;
  code?: string;
  status?: number;
}

const information = 30;
const warning = 40;

function readLog(): Line[] {
  return api.logLines.map((line) => JSON.parse(line) as Line);
}

test('an outage of Postgres is one line at its begin and one at its end, however many requests fail', async () => {
  api.logLines.length = 0;
  await proxy.cut();
  const paths = ['/api/agents', '/health/ready', '/api/connections'];
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => api.call('GET', paths[index % paths.length] ?? '')),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  await proxy.mend();
  await vi.waitFor(() => expect(readLog().at(-1)?.msg).toBe('Postgres is back'), { timeout: 10_000 });
  const lines = readLog();
  expect(lines.filter(({ status }) => status === 503)).toHaveLength(60);
  expect(lines.filter(({ level }) => level >= warning).map(({ msg }) => msg)).toEqual([
    'Postgres cannot be reached',
    'Postgres is back',
  ]);
  expect(api.logLines.join('')).not.toContain('stack');
  expect((await api.call('GET', '/api/agents')).status).toBe(200);
});

/** Sends the begin of a request, and disconnects when the server has read it. */
async function leave(head: string[], beginOfBody: string): Promise<void> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const request = [...head, 'Host: a', `Authorization: Bearer ${api.key}`, 'Content-Length: 1000', '', ''];
  socket.write(request.join('\r\n') + beginOfBody);
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.resetAndDestroy();
}

test.each([
  { what: 'JSON', path: '/api/agents', type: 'application/json', begin: '{"name":' },
  {
    what: 'a file',
    path: '/api/knowledge-bases/0198a000-0000-7000-8000-00000000000a/documents',
    type: 'multipart/form-data; boundary=x',
    begin: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext',
  },
])('a client that leaves in the middle of $what is no error of the server', async ({ path, type, begin }) => {
  api.logLines.length = 0;
  await leave([`POST ${path} HTTP/1.1`, `Content-Type: ${type}`], begin);
  const msg = 'the client disconnected before the end of its body';
  await vi.waitFor(() => expect(readLog()).toMatchObject([{ level: information, msg, method: 'POST' }]), {
    timeout: 30_000,
  });
});
