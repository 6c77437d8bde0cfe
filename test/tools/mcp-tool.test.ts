import { describe, expect, it } from 'vitest';
import { HoldfastError } from '../../src/domain/errors.ts';
import { startHostileServer } from '../servers/hostile-mcp-server.ts';
import { containing } from '../labs/matchers.ts';
import { findFreePort, hang, httpEntry, textResult, type ScriptedTool } from '../servers/mcp-servers.ts';
import {
  cleanups,
  connectorTo,
  createMcpScene,
  denied,
  runOf,
  serveTools,
  workspaceId,
} from '../labs/mcp-scene.ts';

const note: ScriptedTool = ({ arguments: input, idempotencyKey }) =>
  textResult(`noted ${JSON.stringify(input)} under ${idempotencyKey}`);
const noted = { status: 'succeeded', text: 'noted {"a":1} under key-1' };

describe('a tool of a server of the catalogue', () => {
  it('is called by the name it has there, with the key of the call', async () => {
    const server = await serveTools({ write_note: note });
    const { run, checks } = createMcpScene({ own: httpEntry(server.url) });
    const tool = { name: 'notes_write', config: { server: 'own', tool: 'write_note' } };
    expect(await run(runOf(tool, { a: 1 }))).toEqual(noted);
    expect(checks).toEqual([]);
  });

  it('fails when there is no such server', async () => {
    expect(await createMcpScene().run(runOf({ config: { server: 'gone' } }))).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_TOOL_CONFIG', message: containing('"gone"') },
    });
  });

  it('does not run when its signal has fired', async () => {
    const reason = new Error('cancelled');
    const run = createMcpScene().run(runOf({ config: {} }, {}, { signal: AbortSignal.abort(reason) }));
    await expect(run).rejects.toBe(reason);
  });
});

describe('the time of a tool', () => {
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
    await scene.run(runOf({ ...settings, config: { server: 'own' } }, {}, { timeoutMs }));
    expect(asked[0]).toBeGreaterThan(most - 1_000);
    expect(asked[0]).toBeLessThanOrEqual(most);
  });

  it('is over for the server too, which is told', async () => {
    const server = await serveTools({ hang });
    const scene = createMcpScene();
    const config = { connectionId: scene.connect(server.url), provider: 'mcp' };
    const outcome = scene.run(runOf({ name: 'hang', config }, {}, { timeoutMs: 300 }));
    await expect(outcome).rejects.toMatchObject({ code: 'TOOL_TIMED_OUT', sent: true });
    await expect.poll(() => server.cancelled).toContain('hang');
  });
});

describe('a tool over a connection', () => {
  it('is checked against its pin and called', async () => {
    const server = await serveTools({ note });
    const scene = createMcpScene();
    const run = runOf({ config: { connectionId: scene.connect(server.url), provider: 'mcp' } }, { a: 1 });
    expect(await scene.run(run)).toEqual(noted);
    const definition = { name: 'note', description: 'note', inputSchema: { type: 'object' } };
    expect(scene.checks).toEqual([{ workspaceId, agentId: run.agentId, tool: run.tool, definition }]);
  });

  it('of a provider of the catalogue runs as its operation', async () => {
    const scene = createMcpScene();
    const connectionId = scene.connect('http://127.0.0.1:9/');
    const tool = { name: 'slack_sendMessage', config: { connectionId, provider: 'slack' } };
    expect(await scene.run(runOf(tool, { text: 'hi' }))).toMatchObject({ text: 'from the provider' });
    expect(scene.providerCalls).toEqual([
      { provider: 'slack', tool: 'slack_sendMessage', input: { text: 'hi' } },
    ]);
    expect(scene.checks).toEqual([]);
  });

  it.each([
    [{}, 'MCP tool missing connectionId in config'],
    [{ provider: 'slack' }, 'MCP tool missing connectionId in config'],
    [{ connectionId: 'c1' }, 'MCP tool missing provider in config'],
  ])('says what is missing from a stored config: %j', async (config, message) => {
    expect(await createMcpScene().run(runOf({ config }))).toEqual({
      status: 'failed',
      error: { code: 'TOOL_MISCONFIGURED', message },
    });
  });

  it.each([
    denied('c1'),
    new HoldfastError('CONNECTION_NOT_ACTIVE', 'Connection Work is expired. Please reconnect.'),
    new HoldfastError(
      'CONNECTION_PROVIDER_MISMATCH',
      'Connection provider mismatch: expected slack, got mcp',
    ),
  ])('tells the model in the very words why it cannot be used: $message', async (error) => {
    const scene = createMcpScene();
    scene.connections.set('c1', error);
    expect(await scene.run(runOf({ config: { connectionId: 'c1', provider: 'mcp' } }))).toEqual({
      status: 'failed',
      error: { code: error.code, message: error.message },
    });
  });

  it('is tried again when what keeps the connections is down for now', async () => {
    const scene = createMcpScene();
    scene.connections.set('c1', new HoldfastError('SERVICE_UNAVAILABLE', 'The database is away.'));
    const outcome = scene.run(runOf({ config: { connectionId: 'c1', provider: 'mcp' } }));
    await expect(outcome).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('was not sent when its server is down', async () => {
    const scene = createMcpScene();
    const connectionId = scene.connect(`http://127.0.0.1:${await findFreePort()}/mcp`);
    await expect(scene.run(runOf({ config: { connectionId, provider: 'mcp' } }))).rejects.toMatchObject({
      code: 'TOOL_UNREACHABLE',
      sent: false,
    });
  });

  it('is not sent when its server no longer has it', async () => {
    const server = await serveTools({ other: note });
    const scene = createMcpScene();
    const config = { connectionId: scene.connect(server.url, 'Notes'), provider: 'mcp' };
    expect(await scene.run(runOf({ config }))).toEqual({
      status: 'failed',
      error: {
        code: 'UNKNOWN_TOOL',
        message: 'The MCP server "Notes" no longer has a tool "note". Nothing was sent.',
      },
    });
    expect(server.calls.size).toBe(0);
  });

  it('is not sent when it is quarantined', async () => {
    const server = await serveTools({ note });
    const scene = createMcpScene();
    scene.quarantine.violation = { rule: 'quarantine', message: 'It changed.' };
    const config = { connectionId: scene.connect(server.url), provider: 'mcp' };
    expect(await scene.run(runOf({ config }))).toEqual({
      status: 'failed',
      error: { code: 'TOOL_QUARANTINED', message: 'It changed.' },
    });
    expect(server.calls.size).toBe(0);
  });

  it('is checked against what its server says of it now', async () => {
    const server = await startHostileServer(null);
    cleanups.push(() => server.close());
    const scene = createMcpScene();
    const config = { connectionId: scene.connect(server.url), provider: 'mcp' };
    await scene.run(runOf({ config }));
    server.changeDefinition(true);
    await expect
      .poll(async () => {
        await scene.run(runOf({ config }));
        return scene.checks.at(-1)?.definition.description;
      })
      .toContain('passwords');
  });

  it('has its files stored for the turn', async () => {
    const data = Buffer.from('PNG').toString('base64');
    const server = await serveTools({
      draw: () => ({ content: [{ type: 'image', mimeType: 'image/png', data }] }),
    });
    const scene = createMcpScene();
    const config = { connectionId: scene.connect(server.url), provider: 'mcp' };
    const run = runOf({ name: 'draw', config });
    expect(await scene.run(run)).toEqual({
      status: 'succeeded',
      text: '[image image/png, 3 bytes, blob blob-1]',
      content: { content: [{ type: 'image', mimeType: 'image/png', blobId: 'blob-1', bytes: 3 }] },
    });
    const bytes = Buffer.from('PNG');
    expect(scene.blobs).toEqual([{ workspaceId, turnId: run.turnId, bytes, mediaType: 'image/png' }]);
  });

  it('does not fail when its files cannot be stored', async () => {
    const server = await serveTools({
      draw: () => ({ content: [{ type: 'image', mimeType: 'image/png', data: '' }] }),
    });
    const scene = createMcpScene();
    scene.dependencies.blobs.put = () => Promise.reject(new Error('the disk is full'));
    const config = { connectionId: scene.connect(server.url), provider: 'mcp' };
    expect(await scene.run(runOf({ name: 'draw', config }))).toMatchObject({
      status: 'succeeded',
      text: containing('not stored'),
    });
  });
});

describe('a tool of a connector', () => {
  it.each(['by its id', 'by the name of the tool'])('is found %s', async (way) => {
    const server = await serveTools({ note });
    const scene = createMcpScene();
    const connector = connectorTo(scene.connect(server.url), 'notes', ['note']);
    const config = way === 'by its id' ? { connectorId: connector.id } : {};
    const connectors = [connectorTo('elsewhere', 'other', ['search']), connector];
    expect(await scene.run(runOf({ config }, { a: 1 }, { connectors }))).toEqual(noted);
    expect(scene.checks).toHaveLength(1);
  });

  it('says when its connector is not attached', async () => {
    const config = { connectorId: 'gone' };
    expect(await createMcpScene().run(runOf({ config }))).toMatchObject({
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
    const result = await scene.run(runOf({ name: 'add', config }));
    expect(server.calls.get('add key-1')).toBe(1);
    return result;
  }

  it('leaves a result that fits as it is', async () => {
    expect(await callWith({ sum: 5 })).toMatchObject({
      text: 'done',
      content: { structuredContent: { sum: 5 } },
    });
  });

  it.each([
    [{ sum: 'five' }, { field: 'sum', message: 'must be number' }],
    [{}, { field: 'sum', message: 'is required' }],
    [undefined, { field: '', message: 'structured content is missing, which the tool declares' }],
  ])('flags a result that does not fit, and calls no second time: %j', async (structured, error) => {
    const result = await callWith(structured);
    expect(result).toMatchObject({
      status: 'succeeded',
      text: `[The tool ran, but its result does not fit its output schema: ${`${error.field} ${error.message}`.trim()}.]\ndone`,
      content: { ...(structured ? { structuredContent: structured } : {}), outputErrors: [error] },
    });
  });

  it('says nothing of an error', async () => {
    expect(await callWith(undefined, true)).toMatchObject({ status: 'failed', error: { message: 'done' } });
  });
});
