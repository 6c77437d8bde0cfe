import type { RequestListener, Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { readCapped } from '../../../src/platform/egress/capped-body.ts';
import {
  createGuardedFetch,
  createOperatorFetch,
  type GuardedFetch,
  type GuardedFetchOptions,
} from '../../../src/platform/egress/guarded-fetch.ts';
import { HoldfastError } from '../../../src/domain/errors.ts';
import { wasSent } from '../../../src/platform/egress/was-sent.ts';
import { containing } from '../../labs/matchers.ts';
import { startStreamingServer } from '../../servers/http-server.ts';

const opened: { close: () => unknown }[] = [];

afterEach(async () => {
  for (const part of opened.splice(0)) await part.close();
});

function guardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const fetch = createGuardedFetch(options);
  opened.push(fetch);
  return fetch;
}

async function listen(server: Pick<Server, 'listen' | 'address' | 'close'>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return (server.address() as AddressInfo).port;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = await startStreamingServer(listener);
  opened.push(server);
  return server.url;
}

async function failureOf(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  return promise.then(
    () => {
      throw new Error('expected a failure');
    },
    (error: unknown) => error as Error & { code?: string },
  );
}

describe('the addresses that a guarded fetch refuses', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.0.0.1./',
    'http://①②⑦.0.0.1/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.100.100.200/',
    'http://192.0.0.192/',
    'http://168.63.129.16/machine?comp=goalstate',
    'http://[::ffff:168.63.129.16]/',
    'http://[64:ff9b::168.63.129.16]/',
    'http://[2002:a83f:8110::]/',
    'http://[2600:1900::5efe:a83f:8110]/',
    'http://198.18.0.1/',
    'http://192.0.2.1/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[::ffff:0:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:1::]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    'http://[5f00::1]/',
    'http://[4000::1]/',
    'http://localhost/',
    'file:///etc/passwd',
    'ftp://example.com/',
    'data:text/plain,hello',
    'http://user:secret@example.com/',
    'not a url',
  ])('include %s', async (url) => {
    const error = await failureOf(guardedFetch()(url));
    expect(error.code).toBe('EGRESS_REFUSED');
    expect(wasSent(error)).toBe(false);
  });

  it('include metadata addresses also for the fetch of operators', async () => {
    const fetch = createOperatorFetch();
    opened.push(fetch);
    for (const url of ['http://169.254.169.254/', 'http://[fd20:ce::254]/', 'http://168.63.129.16/'])
      expect((await failureOf(fetch(url))).code).toBe('EGRESS_REFUSED');
  });

  it('include a host name that resolves to loopback', async () => {
    const fetch = guardedFetch({ resolveHost: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) });
    const error = await failureOf(fetch('http://innocent.example/'));
    expect(error.code).toBe('EGRESS_REFUSED');
    expect(error.cause).toMatchObject({ message: containing('"innocent.example" resolves to 127.0.0.1') });
  });

  it('are not named when a host name resolves to them, nor told apart', async () => {
    const addresses = ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00:ec2::254', '::ffff:10.0.0.1'];
    const messages = addresses.map(async (address) => {
      const resolveHost = () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);
      const error = await failureOf(guardedFetch({ resolveHost })('http://inside.example/'));
      return { code: error.code, message: error.message };
    });
    const message = 'Requests to "inside.example" are refused: it has no public address.';
    expect(new Set((await Promise.all(messages)).map((info) => JSON.stringify(info)))).toEqual(
      new Set([JSON.stringify({ code: 'EGRESS_REFUSED', message })]),
    );
  });

  it('include a host name of which one address is private', async () => {
    const addresses = [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    const resolveHost = () => Promise.resolve(addresses);
    expect((await failureOf(guardedFetch({ resolveHost })('http://mixed.example/'))).code).toBe(
      'EGRESS_REFUSED',
    );
  });

  it('exclude loopback when it is allowed, and no other address', async () => {
    const url = await serve((_request, response) => response.end('hello'));
    const fetch = guardedFetch({ allowLoopback: true });
    expect(await (await fetch(url)).text()).toBe('hello');
    expect((await failureOf(fetch('http://10.0.0.1/'))).code).toBe('EGRESS_REFUSED');
    expect((await failureOf(fetch('http://[::ffff:127.0.0.1]/'))).code).toBe('EGRESS_REFUSED');
  });

  it('are refused with the name of the setting when they name this machine, and without it otherwise', async () => {
    for (const host of ['127.0.0.1', '[::1]', 'localhost', 'mcp.localhost']) {
      const resolveHost = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
      const { message } = await failureOf(guardedFetch({ resolveHost })(`http://${host}/`));
      expect(message).toContain('HOLDFAST_ALLOW_LOOPBACK=connections');
    }
    for (const host of ['10.0.0.1', 'rebinding.example', 'localhost.example']) {
      const resolveHost = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
      const { code, message } = await failureOf(guardedFetch({ resolveHost })(`http://${host}/`));
      expect(code).toBe('EGRESS_REFUSED');
      expect(message).not.toContain('HOLDFAST');
    }
  });

  it('are checked in one lookup, so that a name cannot change between check and connect', async () => {
    const url = new URL(await serve((_request, response) => response.end('hello')));
    let lookups = 0;
    const resolveHost = () =>
      Promise.resolve([{ address: lookups++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
    const response = await guardedFetch({ allowLoopback: true, resolveHost })(
      `http://rebinding.example:${url.port}/`,
    );
    expect(await response.text()).toBe('hello');
    expect(lookups).toBe(1);
  });
});

describe('the answers of a guarded fetch', () => {
  it('include a redirect, which is not followed', async () => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    });
    const response = await guardedFetch({ allowLoopback: true })(url, { redirect: 'follow' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('http://169.254.169.254/');
    expect(requests).toBe(1);
  });

  it('cause an error when more bytes are read than the cap allows', async () => {
    const url = await serve((_request, response) => response.end(Buffer.alloc(3_000_000, 'x')));
    const response = await guardedFetch({ allowLoopback: true })(url);
    expect((await failureOf(response.text())).code).toBe('RESPONSE_TOO_LARGE');
  });

  it('are limited by their bytes after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const url = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const response = await guardedFetch({ allowLoopback: true })(url);
    expect((await failureOf(response.arrayBuffer())).code).toBe('RESPONSE_TOO_LARGE');
  });

  it.each([
    { size: 1000, limit: 1000, truncated: false },
    { size: 1001, limit: 1000, truncated: true },
    { size: 3_000_000, limit: 1024 * 1024, truncated: true },
    { size: 0, limit: 1000, truncated: false },
  ])('can be read up to a limit ($size bytes, limit $limit)', async ({ size, limit, truncated }) => {
    const url = await serve((_request, response) => response.end(Buffer.alloc(size, 'x')));
    const body = await readCapped(await guardedFetch({ allowLoopback: true })(url), limit);
    expect(body.bytes.byteLength).toBe(Math.min(size, limit));
    expect(body.truncated).toBe(truncated);
  });

  it('are cancelled when an endless body exceeds the cap', async () => {
    const closed = Promise.withResolvers<true>();
    const url = await serve((_request, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(100_000)), 1);
      response.on('close', () => {
        clearInterval(timer);
        closed.resolve(true);
      });
    });
    const body = await readCapped(await guardedFetch({ allowLoopback: true })(url), 300_000);
    expect(body.truncated).toBe(true);
    expect(await closed.promise).toBe(true);
  });

  it('cause an error when the headers do not arrive in time', async () => {
    const url = await serve(() => undefined);
    const error = await failureOf(guardedFetch({ allowLoopback: true, headersTimeoutMs: 50 })(url));
    expect((error.cause as { code: string }).code).toBe('UND_ERR_HEADERS_TIMEOUT');
    expect(wasSent(error)).toBe(true);
  });

  it('are aborted with the reason of the signal', async () => {
    const url = await serve(() => undefined);
    const reason = new Error('the turn was cancelled');
    expect(
      await failureOf(guardedFetch({ allowLoopback: true })(url, { signal: AbortSignal.abort(reason) })),
    ).toBe(reason);
  });
});

describe('wasSent', () => {
  it('is false when the server refuses the socket', async () => {
    const server = createTcpServer();
    const port = await listen(server as unknown as Server);
    await new Promise((resolve) => server.close(resolve));
    const error = await failureOf(guardedFetch({ allowLoopback: true })(`http://127.0.0.1:${port}/`));
    expect(wasSent(error)).toBe(false);
  });

  it('is false when the host name does not exist', async () => {
    const resolveHost = () => Promise.reject(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }));
    const error = await failureOf(guardedFetch({ resolveHost })('http://nowhere.example/'));
    expect(wasSent(error)).toBe(false);
  });

  it('is false for every error of the guarded connector, whatever its code', async () => {
    const failure = Object.assign(new Error('no route'), { code: 'EHOSTUNREACH', syscall: 'read' });
    const resolveHost = () => Promise.reject(failure);
    const error = await failureOf(guardedFetch({ resolveHost })('http://nowhere.example/'));
    expect(wasSent(error)).toBe(false);
  });

  it('is false when the server refuses a socket of another connector', async () => {
    const server = createTcpServer();
    const port = await listen(server as unknown as Server);
    await new Promise((resolve) => server.close(resolve));
    expect(wasSent(await failureOf(fetch(`http://127.0.0.1:${port}/`)))).toBe(false);
  });

  it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL', 'ECONNREFUSED'])(
    'tells by the system call whether %s came before the request',
    (code) => {
      const during = (syscall: string) =>
        new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, syscall }) });
      expect(wasSent(during('connect'))).toBe(false);
      expect(wasSent(during('read'))).toBe(true);
      expect(wasSent(during('write'))).toBe(true);
      expect(wasSent(new AggregateError([during('connect'), during('connect')]))).toBe(false);
      expect(wasSent(new AggregateError([during('connect'), during('write')]))).toBe(true);
    },
  );

  it('is false when TLS fails', async () => {
    const url = await serve((_request, response) => response.end());
    const error = await failureOf(guardedFetch({ allowLoopback: true })(url.replace('http:', 'https:')));
    expect(wasSent(error)).toBe(false);
  });

  it('is true when the socket closes after the request', async () => {
    const url = await serve((request) => request.socket.destroy());
    const error = await failureOf(guardedFetch({ allowLoopback: true })(url, { method: 'POST', body: 'x' }));
    expect(wasSent(error)).toBe(true);
  });

  it('is false when a stored connection without valid credentials refuses the request', () => {
    const refusal = new HoldfastError('CONNECTION_NOT_ACTIVE', 'Connection x is expired. Please reconnect.');
    expect(wasSent(refusal)).toBe(false);
    expect(wasSent(new Error('wrapped', { cause: refusal }))).toBe(false);
    expect(wasSent(new HoldfastError('RESPONSE_TOO_LARGE', 'too much'))).toBe(true);
  });

  it('is true for an unknown error', () => {
    expect(wasSent(new Error('who knows'))).toBe(true);
    expect(wasSent('text')).toBe(true);
  });
});
