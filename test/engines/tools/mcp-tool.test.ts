import { describe, expect, it } from 'vitest';
import { HoldfastError } from '../../../src/domain/errors.ts';
import { startHostileServer } from '../../servers/hostile-mcp-server.ts';
import { containing } from '../../labs/matchers.ts';
import { findFreePort, hang, httpEntry, textResult, type ScriptedTool } from '../../servers/mcp-servers.ts';
import {
  cleanups,
  createConnectorOver,
  createMcpScene,
  createAccessDenied,
  createMcpRun,
  serveTools,
  workspaceId,
} from '../../labs/mcp-scene.ts';
import { toolboxOf } from '../../../src/engines/tools/toolbox.ts';

const note: ScriptedTool = ({ arguments: input, idempotencyKey }) =>
  textResult(`noted ${JSON.stringify(input)} under ${idempotencyKey}`);
const noted = { status: 'succeeded', text: 'noted {"a":1} under key-1' };

describe('a tool of a server in the catalogue', () => {
  it('is called by its name at the server, with the key of the call', async () => {
    const server = await serveTools({ write_note: note });
    const { run, checks } = createMcpScene({ own: httpEntry(server.url) });
    const tool = { name: 'notes_write', config: { server: 'own', tool: 'write_note' } };
    expect(await run(createMcpRun(tool, { a: 1 }))).toEqual(noted);
    expect(checks).toEqual([]);
  });

  it('fails when the server is not in the catalogue', async () => {
    expect(await createMcpScene().run(createMcpRun({ config: { server: 'gone' } }))).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_TOOL_CONFIG', message: containing('"gone"') },
    });
  });

  it('does not run when its signal is already aborted', async () => {
    const reason = new Error('cancelled');
    const run = createMcpScene().run(createMcpRun({ config: {} }, {}, { signal: AbortSignal.abort(reason) }));
    await expect(run).rejects.toBe(reason);
  });
});

describe('the time limit of a tool', () => {
  it.each([
    ['less than that of its activity', {}, 25_000],
    ['all that its operator gave it', { settings: { timeoutMs: 60_000 } }, 60_000],
  ])('is %s', async (_time, settings, most) => {
    const scene = createMcpScene();
    const asked: (number | undefined)[] = [];
    scene.dependencies.mcp.callTool = (call) => {
      asked.push(call.timeoutMs);
      return Promise.resolve({ status: 'succeeded', text: '' });
    };
    const timeoutMs = 'settings' in settings ? settings.settings.timeoutMs : 30_000;
    await scene.run(createMcpRun({ ...settings, config: { server: 'own' } }, {}, { timeoutMs }));
    expect(asked[0]).toBeGreaterThan(most - 1_000);
    expect(asked[0]).toBeLessThanOrEqual(most);
  });

  it('cancels the call at the server', async () => {
    const server = await serveTools({ hang });
    const scene = createMcpScene();
    const config = { connectionId: scene.connect(server.url), provider: 'mcp' };
    const outcome = scene.run(createMcpRun({ name: 'hang', config }, {}, { timeoutMs: 2_000 }));
    await expect(outcome).rejects.toMatchObject({ code: 'TOOL_TIMED_OUT', sent: true });
    await expect.poll(() => server.cancelled).toContain('hang');
  });
});

describe('a tool over a connection', () => {
  it('is checked against its pin before it is called', async () => {
    const server = await serveTools({ note });
    const scene = createMcpScene();
    const run = createMcpRun(
      { config: { connectionId: scene.connect(server.url), provider: 'mcp' } },
      { a: 1 },
    );
    expect(await scene.run(run)).toEqual(noted);
    const definition = { name: 'note', description: 'note', inputSchema: { type: 'object' } };
    expect(scene.checks).toEqual([{ workspaceId, agentId: run.agentId, tool: run.tool, definition }]);
  });

  it('runs as an operation when the connection is to a provider', async () => {
    const scene = createMcpScene();
    const connectionId = scene.connect('http://127.0.0.1:9/');
    const tool = { name: 'slack_sendMessage', config: { connectionId, provider: 'slack' } };
    expect(await scene.run(createMcpRun(tool, { text: 'hi' }))).toMatchObject({ text: 'from the provider' });
    expect(scene.providerCalls).toEqual([
      { provider: 'slack', tool: 'slack_sendMessage', input: { text: 'hi' } },
    ]);
    expect(scene.checks).toEqual([]);
  });

  it.each([
    [{}, 'MCP tool missing connectionId in config'],
    [{ provider: 'slack' }, 'MCP tool missing connectionId in config'],
    [{ connectionId: 'c1' }, 'MCP tool missing provider in config'],
  ])('names the missing field of the stored config %j', async (config, message) => {
    expect(await createMcpScene().run(createMcpRun({ config }))).toEqual({
      status: 'failed',
      error: { code: 'TOOL_MISCONFIGURED', message },
    });
  });

  it.each([
    createAccessDenied('c1'),
    new HoldfastError('CONNECTION_NOT_ACTIVE', 'Connection Work is expired. Please reconnect.'),
    new HoldfastError(
      'CONNECTION_PROVIDER_MISMATCH',
      'Connection provider mismatch: expected slack, got mcp',
    ),
  ])('gives the model the unchanged error of the connection: $message', async (error) => {
    const scene = createMcpScene();
    scene.connections.set('c1', error);
    expect(await scene.run(createMcpRun({ config: { connectionId: 'c1', provider: 'mcp' } }))).toEqual({
      status: 'failed',
      error: { code: error.code, message: error.message },
    });
  });

  it('is retried when the connection store is temporarily unavailable', async () => {
    const scene = createMcpScene();
    scene.connections.set('c1', new HoldfastError('SERVICE_UNAVAILABLE', 'The database is away.'));
    const outcome = scene.run(createMcpRun({ config: { connectionId: 'c1', provider: 'mcp' } }));
    await expect(outcome).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('fails as not sent when its server is down', async () => {
    const scene = createMcpScene();
    const connectionId = scene.connect(`http://127.0.0.1:${await findFreePort()}/mcp`);
    await expect(
      scene.run(createMcpRun({ config: { connectionId, provider: 'mcp' } })),
    ).rejects.toMatchObject({
      code: 'TOOL_UNREACHABLE',
      sent: false,
    });
  });

  it('is not called when its server no longer has it', async () => {
    const server = await serveTools({ other: note });
    const scene = createMcpScene();
    const config = { connectionId: scene.connect(server.url, 'Notes'), provider: 'mcp' };
    expect(await scene.run(createMcpRun({ config }))).toEqual({
      status: 'failed',
      error: {
        code: 'UNKNOWN_TOOL',
        message: 'The MCP server "Notes" no longer has a tool "note". Nothing was sent.',
      },
    });
    expect(server.calls.size).toBe(0);
  });

  it('is not called when it is quarantined', async () => {
    const server = await serveTools({ note });
    const scene = createMcpScene();
    scene.quarantine.violation = { rule: 'quarantine', message: 'It changed.' };
    const config = { connectionId: scene.connect(server.url), provider: 'mcp' };
    expect(await scene.run(createMcpRun({ config }))).toEqual({
      status: 'failed',
      error: { code: 'TOOL_QUARANTINED', message: 'It changed.' },
    });
    expect(server.calls.size).toBe(0);
  });

  it('is checked against the current definition of its server', async () => {
    const server = await startHostileServer(null);
    cleanups.push(() => server.close());
    const scene = createMcpScene();
    const config = { connectionId: scene.connect(server.url), provider: 'mcp' };
    await scene.run(createMcpRun({ config }));
    server.changeDefinition(true);
    await expect
      .poll(async () => {
        await scene.run(createMcpRun({ config }));
        return scene.checks.at(-1)?.definition.description;
      })
      .toContain('passwords');
  });

  it('has its files stored under the turn', async () => {
    const data = Buffer.from('PNG').toString('base64');
    const server = await serveTools({
      draw: () => ({ content: [{ type: 'image', mimeType: 'image/png', data }] }),
    });
    const scene = createMcpScene();
    const config = { connectionId: scene.connect(server.url), provider: 'mcp' };
    const run = createMcpRun({ name: 'draw', config });
    expect(await scene.run(run)).toEqual({
      status: 'succeeded',
      text: '[image image/png, 3 bytes, file file-1]',
      content: { content: [{ type: 'image', mimeType: 'image/png', blobId: 'file-1', bytes: 3 }] },
    });
    const bytes = Buffer.from('PNG');
    expect(scene.resultFiles).toMatchObject([
      { workspaceId, turnId: run.turnId, bytes, mediaType: 'image/png' },
    ]);
  });

  it('says why its files were not stored', async () => {
    const data = Buffer.from('PNG').toString('base64');
    const server = await serveTools({
      draw: () => ({ content: [{ type: 'image', mimeType: 'image/png', data }] }),
    });
    const scene = createMcpScene();
    const config = { connectionId: scene.connect(server.url), provider: 'mcp' };
    scene.dependencies.resultFiles.put = () =>
      Promise.reject(new HoldfastError('FILE_REFUSED', 'The virus scan refused the file: Eicar'));
    expect(await scene.run(createMcpRun({ name: 'draw', config }))).toMatchObject({
      status: 'succeeded',
      text: '[image image/png, 3 bytes, not stored, because the virus scan refused the file: Eicar]',
      content: { content: [{ type: 'image', blobId: null }] },
    });
    scene.dependencies.resultFiles.put = ({ signal }) =>
      new Promise((_resolve, reject) => {
        const giveUp = () => reject(new HoldfastError('SERVICE_UNAVAILABLE', 'The bucket is slow.'));
        signal?.addEventListener('abort', giveUp);
      });
    const slow = createMcpRun({ name: 'draw', config });
    expect(await scene.run({ ...slow, timeoutMs: 1000 })).toMatchObject({
      status: 'succeeded',
      text: containing('not stored, because it could not be scanned or stored'),
    });
  });

  it('succeeds when its files cannot be stored', async () => {
    const server = await serveTools({
      draw: () => ({ content: [{ type: 'image', mimeType: 'image/png', data: '' }] }),
    });
    const scene = createMcpScene();
    scene.dependencies.resultFiles.put = () => Promise.reject(new Error('the disk is full'));
    const config = { connectionId: scene.connect(server.url), provider: 'mcp' };
    expect(await scene.run(createMcpRun({ name: 'draw', config }))).toMatchObject({
      status: 'succeeded',
      text: containing('not stored'),
    });
  });
});

it('a tool whose definition has become one that cannot be used fails with the reason, and is not called', async () => {
  const definitions = { note: { inputSchema: { type: 'string' } } };
  const server = await serveTools({ note, other: note }, { definitions });
  const scene = createMcpScene();
  const connectionId = scene.connect(server.url);
  const run = createMcpRun({ config: { connectionId, provider: 'mcp' } }, { a: 1 });
  expect(await scene.run(run)).toMatchObject({
    status: 'failed',
    error: { code: 'TOOL_MISCONFIGURED', message: containing('cannot be used: inputSchema.type') },
  });
  const other = createMcpRun({ name: 'other', config: { connectionId, provider: 'mcp' } }, { a: 1 });
  expect(await scene.run(other)).toEqual(noted);
  expect(server.calls.size).toBe(1);
});

describe('a tool of a connector', () => {
  it.each(['by its id', 'by the name of the tool'])('is found %s', async (way) => {
    const server = await serveTools({ note });
    const scene = createMcpScene();
    const connector = createConnectorOver(scene.connect(server.url), 'notes', ['note']);
    const config = way === 'by its id' ? { connectorId: connector.id } : {};
    const connectors = [createConnectorOver('elsewhere', 'other', ['search']), connector];
    expect(
      await scene.run(createMcpRun({ config }, { a: 1 }, { toolbox: toolboxOf({ tools: [], connectors }) })),
    ).toEqual(noted);
    expect(scene.checks).toHaveLength(1);
  });

  it('fails with a clear error when its connector is not attached', async () => {
    const config = { connectorId: 'gone' };
    expect(await createMcpScene().run(createMcpRun({ config }))).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_MISCONFIGURED', message: containing('not attached') },
    });
  });
});

describe('the output schema of a tool', () => {
  const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };

  async function callWith(structuredContent: Record<string, unknown> | undefined, isError = false) {
    const answer = { ...textResult('done'), isError, ...(structuredContent ? { structuredContent } : {}) };
    const server = await serveTools({ add: () => answer }, { definitions: { add: { outputSchema } } });
    const scene = createMcpScene();
    const config = { connectionId: scene.connect(server.url), provider: 'mcp' };
    const result = await scene.run(createMcpRun({ name: 'add', config }));
    expect(server.calls.get('add key-1')).toBe(1);
    return result;
  }

  it('keeps a valid result unchanged', async () => {
    expect(await callWith({ sum: 5 })).toMatchObject({
      text: 'done',
      content: { structuredContent: { sum: 5 } },
    });
  });

  it.each([
    [{ sum: 'five' }, { field: 'sum', message: 'must be number' }],
    [{}, { field: 'sum', message: 'is required' }],
    [undefined, { field: '', message: 'structured content is missing, which the tool declares' }],
  ])('flags the invalid result %j without a second call', async (structured, error) => {
    const result = await callWith(structured);
    expect(result).toMatchObject({
      status: 'succeeded',
      text: `[The tool ran, but its result does not fit its output schema: ${`${error.field} ${error.message}`.trim()}.]\ndone`,
      content: { ...(structured ? { structuredContent: structured } : {}), outputErrors: [error] },
    });
  });

  it('is not applied to an error', async () => {
    expect(await callWith(undefined, true)).toMatchObject({ status: 'failed', error: { message: 'done' } });
  });
});
