import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadMcpCatalogue, parseMcpCatalogue } from '../../../src/engines/mcp/mcp-catalogue.ts';
import { containing, matching } from '../../labs/matchers.ts';

const path = '/etc/holdfast/mcp.json';
const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

function parse(mcpServers: unknown, env: Record<string, string> = {}) {
  return parseMcpCatalogue(JSON.stringify({ mcpServers }), { path, env });
}

describe('parseMcpCatalogue', () => {
  it('reads servers over stdio and over HTTP', () => {
    const catalogue = parse(
      {
        files: { command: process.execPath, args: ['server.js'], env: { TOKEN: 'x${SECRET}y' }, cwd: 'data' },
        plain: { command: process.execPath },
        remote: { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer ${SECRET}' } },
        typed: { type: 'streamable-http', url: 'http://127.0.0.1:3001/mcp' },
        off: { command: 'nowhere-to-be-found', disabled: true },
      },
      { SECRET: 's3' },
    );
    expect(Object.fromEntries(catalogue)).toEqual({
      files: {
        kind: 'stdio',
        command: process.execPath,
        args: ['server.js'],
        env: { TOKEN: 'xs3y' },
        cwd: '/etc/holdfast/data',
      },
      plain: { kind: 'stdio', command: process.execPath, args: [], env: {}, cwd: '/etc/holdfast' },
      remote: { kind: 'http', url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer s3' } },
      typed: { kind: 'http', url: 'http://127.0.0.1:3001/mcp', headers: {} },
    });
  });

  it('finds a command without a path on PATH', () => {
    expect(
      parse({ shell: { command: 'sh' } }, { PATH: 'relative:/usr/bin:/bin' }).get('shell'),
    ).toMatchObject({
      command: matching(/^\/(usr\/)?bin\/sh$/),
    });
  });

  it.each([
    [{ a: { command: './server' } }, 'mcpServers.a.command: "./server" is not there'],
    [{ a: { command: 'no-such-program' } }, 'mcpServers.a.command'],
    [{ a: { command: '/no/such/program' } }, 'mcpServers.a.command'],
    [{ a: { command: '/tmp' } }, 'mcpServers.a.command'],
    [{ a: { command: 5 } }, 'mcpServers.a.command'],
    [{ a: { command: process.execPath, args: 'x' } }, 'mcpServers.a.args'],
    [
      { a: { command: process.execPath, env: { KEY: '${MISSING}' } } },
      'mcpServers.a.env.KEY: MISSING is not set',
    ],
    [{ a: { command: process.execPath, shell: true } }, 'mcpServers.a.shell: unknown field'],
    [
      { a: { type: 'sse', url: 'https://example.com' } },
      'mcpServers.a.type: expected "stdio" or "http", found "sse"',
    ],
    [{ a: { url: 'ftp://example.com' } }, 'mcpServers.a.url: expected an http or https URL'],
    [{ a: { url: 'https://user:pw@example.com' } }, 'mcpServers.a.url'],
    [
      { a: { url: 'https://example.com', headers: { Authorization: '${NONE}' } } },
      'mcpServers.a.headers.Authorization',
    ],
    [{ a: {} }, 'mcpServers.a: expected a "command" or a "url"'],
    [{ a: null }, 'mcpServers.a'],
    [{ 'a b': { url: 'https://example.com' } }, 'the name "a b"'],
    [undefined, 'mcpServers'],
  ])('names the invalid field of %j', (mcpServers, part) => {
    const failure = () => parse(mcpServers, { PATH: '/usr/bin' });
    expect(failure).toThrow(path);
    expect(failure).toThrow(part);
  });

  it('reports text that is not JSON without quoting it', () => {
    expect(() => parseMcpCatalogue('{', { path, env: {} })).toThrow(`${path} cannot be used: it is not JSON`);
    expect(() => parseMcpCatalogue('{"env":{"A":"hush-hush"x}}', { path, env: {} })).not.toThrow('hush');
  });

  it('does not quote the values of environment variables', () => {
    const env = { SECRET: 'hunter2' };
    expect(() =>
      parse({ a: { url: 'https://example.com', headers: { A: '${SECRET}${NONE}' } } }, env),
    ).toThrow(/^(?!.*hunter2)/);
  });
});

describe('loadMcpCatalogue', () => {
  it('starts servers in the folder of the file unless an entry names another', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-catalogue-'));
    folders.push(folder);
    const file = join(folder, 'mcp.json');
    await writeFile(file, JSON.stringify({ mcpServers: { a: { command: process.execPath } } }));
    expect((await loadMcpCatalogue({ path: file, env: {} })).get('a')).toMatchObject({ cwd: folder });
  });

  it('throws when the file does not exist', async () => {
    await expect(loadMcpCatalogue({ path: '/no/such/mcp.json', env: {} })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: containing('/no/such/mcp.json cannot be used: it cannot be read'),
    });
  });
});
