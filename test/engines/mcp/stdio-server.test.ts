import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { McpServer } from '../../../src/engines/mcp/mcp-catalogue.ts';
import { containing, notContaining } from '../../labs/matchers.ts';
import { everythingEntry, filesystemEntry, memoryEntry } from '../../servers/mcp-servers.ts';
import {
  listChildProcesses,
  cleanups,
  eventually,
  catchInterruption,
  openManager,
  openTemporaryFolder,
} from '../../labs/mcp-manager-lab.ts';

describe('a server over stdio', () => {
  it('lists and reads files of its folder, and no others, and has a long text cut at the end', async () => {
    const folder = await openTemporaryFolder();
    await writeFile(join(folder, 'note.txt'), 'remember the milk');
    await writeFile(join(folder, 'long.txt'), 'ä'.repeat(1_500_000));
    const manager = openManager({ files: filesystemEntry(folder) });
    const call = (tool: string, path: string) =>
      manager.callTool({ target: { server: 'files' }, tool, arguments: { path } });

    expect(await call('list_directory', folder)).toMatchObject({ text: containing('note.txt') });
    expect(await call('read_text_file', join(folder, 'note.txt'))).toMatchObject({
      status: 'succeeded',
      text: 'remember the milk',
      content: { structuredContent: { content: 'remember the milk' } },
    });
    expect(await call('read_text_file', '/etc/passwd')).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_FAILED', message: containing('Access denied') },
    });

    const long = await call('read_text_file', join(folder, 'long.txt'));
    if (long.status !== 'succeeded') throw new Error('expected a success');
    expect(Buffer.byteLength(long.text)).toBe(1024 * 1024);
    expect(long.truncatedBytes).toBe(3_000_000 - 1024 * 1024);
  });

  it('keeps its state between calls', async () => {
    const folder = await openTemporaryFolder();
    const manager = openManager({ memory: memoryEntry(join(folder, 'memory.jsonl')) });
    const call = (tool: string, toolArguments: JsonObject) =>
      manager.callTool({ target: { server: 'memory' }, tool, arguments: toolArguments });

    const entity = { name: 'Ada', entityType: 'person', observations: ['writes programs'] };
    expect(await call('create_entities', { entities: [entity] })).toMatchObject({ status: 'succeeded' });
    expect(await call('search_nodes', { query: 'programs' })).toMatchObject({
      status: 'succeeded',
      text: containing('Ada'),
      content: { structuredContent: { entities: [entity] } },
    });
    const names = (await manager.connectServer({ server: 'memory' })).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['create_entities', 'read_graph', 'search_nodes']));
  });

  it('is stopped and restarted when its message exceeds the memory limit', async () => {
    const folder = await openTemporaryFolder();
    await writeFile(join(folder, 'huge.txt'), 'x'.repeat(400_000));
    await writeFile(join(folder, 'small.txt'), 'small');
    const manager = openManager({ files: filesystemEntry(folder) }, { maxMessageBytes: 30_000 });
    const read = (name: string) =>
      manager.callTool({
        target: { server: 'files' },
        tool: 'read_text_file',
        arguments: { path: join(folder, name) },
      });
    expect(await catchInterruption(read('huge.txt'))).toMatchObject({
      code: 'RESPONSE_TOO_LARGE',
      sent: true,
      retryable: false,
    });
    expect(await read('small.txt')).toMatchObject({ status: 'succeeded', text: 'small' });
  });

  it('is one process for concurrent calls, which is stopped when the manager is closed', async () => {
    const folder = await openTemporaryFolder();
    const manager = openManager({ files: filesystemEntry(folder) });
    const list = () =>
      manager.callTool({ target: { server: 'files' }, tool: 'list_allowed_directories', arguments: {} });
    const results = await Promise.all(Array.from({ length: 10 }, list));
    expect(results.every((result) => result.status === 'succeeded')).toBe(true);
    expect(await listChildProcesses(folder)).toHaveLength(1);
    await manager.close();
    expect(await listChildProcesses(folder)).toHaveLength(0);
  });

  it('is stopped when it is idle', async () => {
    const folder = await openTemporaryFolder();
    const manager = openManager({ files: filesystemEntry(folder) }, { idleMs: 20 });
    await manager.listTools({ server: 'files' });
    await eventually(async () => (await listChildProcesses(folder)).length === 0);
    expect(await manager.listTools({ server: 'files' })).not.toHaveLength(0);
  });

  it('that dies during a call leaves the outcome unknown, and is restarted', async () => {
    const folder = await openTemporaryFolder();
    const manager = openManager({ everything: everythingEntry(folder) });
    const started = Promise.withResolvers<undefined>();
    const call = manager.callTool({
      target: { server: 'everything' },
      tool: 'trigger-long-running-operation',
      arguments: { duration: 60, steps: 600 },
      onProgress: () => started.resolve(undefined),
    });
    await started.promise;
    for (const id of await listChildProcesses('server-everything')) process.kill(Number(id), 'SIGKILL');
    expect(await catchInterruption(call)).toMatchObject({ code: 'TOOL_UNAVAILABLE', sent: true });
    const echo = await manager.callTool({
      target: { server: 'everything' },
      tool: 'echo',
      arguments: { message: 'again' },
    });
    expect(echo).toEqual({ status: 'succeeded', text: 'Echo: again' });
  });

  it('that cannot be started fails the call as unreachable', async () => {
    const folder = await openTemporaryFolder();
    const missing: McpServer = {
      kind: 'stdio',
      command: join(folder, 'missing'),
      args: [],
      env: {},
      cwd: folder,
    };
    const script = 'console.error("no licence found"); process.exit(3)';
    const broken: McpServer = {
      kind: 'stdio',
      command: process.execPath,
      args: ['-e', script],
      env: {},
      cwd: folder,
    };
    const manager = openManager({ missing, broken });
    const call = (server: string) => manager.callTool({ target: { server }, tool: 'x', arguments: {} });
    expect(await catchInterruption(call('missing'))).toMatchObject({ code: 'TOOL_UNREACHABLE', sent: false });
    expect(await catchInterruption(call('broken'))).toMatchObject({
      code: 'TOOL_UNREACHABLE',
      sent: false,
      message: containing('no licence found'),
    });
  });

  it('that says only once why it cannot start has its reason shown every time', async () => {
    const folder = await openTemporaryFolder();
    // The protocol is negotiated with a separate process, so that the first call starts the server twice.
    const script = `
      const { existsSync, writeFileSync } = require('node:fs');
      const start = ['first', 'second'].find((name) => !existsSync(name));
      if (start) writeFileSync(start, '');
      if (start === 'second') console.error('another instance holds the lock');
      process.exitCode = 1;`;
    const args = ['-e', script];
    const locked: McpServer = { kind: 'stdio', command: process.execPath, args, env: {}, cwd: folder };
    const manager = openManager({ locked });
    const target = { server: 'locked' };
    const call = (timeoutMs = 25_000) => manager.callTool({ target, tool: 'x', arguments: {}, timeoutMs });
    const message = containing('it said: another instance holds the lock');
    for (const failing of [call, call, () => manager.listTools(target)])
      expect(await catchInterruption(failing())).toMatchObject({ code: 'TOOL_UNREACHABLE', message });
    // Its time is over before the process has ended.
    expect(await catchInterruption(call(1))).toMatchObject({ sent: false, message });
  });

  it('that never says a word is said not to have answered', async () => {
    const folder = await openTemporaryFolder();
    const args = ['-e', 'setInterval(() => undefined, 1_000)'];
    const silent: McpServer = { kind: 'stdio', command: process.execPath, args, env: {}, cwd: folder };
    const manager = openManager({ silent }, { connectTimeoutMs: 300 });
    expect(
      await catchInterruption(manager.callTool({ target: { server: 'silent' }, tool: 'x', arguments: {} })),
    ).toMatchObject({
      code: 'TOOL_UNREACHABLE',
      message: 'The MCP server "silent" cannot be reached: it did not answer within 300 ms',
    });
  });

  it('gets only the environment variables of its entry', async () => {
    process.env.HOLDFAST_TEST_SECRET = 'do not pass on';
    cleanups.push(() => delete process.env.HOLDFAST_TEST_SECRET);
    const folder = await openTemporaryFolder();
    const manager = openManager({ everything: { ...everythingEntry(folder), env: { ALLOWED: 'yes' } } });
    const result = await manager.callTool({
      target: { server: 'everything' },
      tool: 'get-env',
      arguments: {},
    });
    expect(result).toMatchObject({ text: containing('"ALLOWED": "yes"') });
    expect(result).toMatchObject({ text: notContaining('HOLDFAST_TEST_SECRET') });
  });
});
