import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  answerWith,
  failWith,
  startScriptedApi,
  streamFrames,
  streamOrPage,
} from '../servers/scripted-api.ts';
import {
  conversationId,
  toCall,
  toMessagePayload,
  toSettledPayload,
  toStoredEvent,
  toToolCall,
  toTurn,
  turnId,
} from '../servers/scripted-events.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { runCli, runSpawned, toEnvironment } from '../labs/run-cli.ts';

const agent = { id: 'agent-1', name: 'Demo agent', model: 'demo', version: 3, tools: [] };
const listAgents = { 'GET /api/agents': answerWith({ agents: [agent], nextCursor: null }) };
const agentLine = 'agent-1  Demo agent  demo  version 3  0 tools\n';

function writeDataFolder(folder: string, { api, key }: { api: string; key: string }): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'running.json'), JSON.stringify({ api }));
  writeFileSync(path.join(folder, 'development-key'), `${key}\n`, { mode: 0o600 });
}

describe('the command', () => {
  it('uses the running API of the data folder with its development key', async () => {
    const cwd = createTemporaryFolder();
    const api = await startScriptedApi(listAgents);
    writeDataFolder(path.join(cwd, '.holdfast'), { api: api.baseUrl, key: api.apiKey });
    const result = await runCli(['agents', 'list'], { cwd });
    expect(result).toEqual({ code: 0, stdout: agentLine, stderr: '' });
  });

  it('uses the data folder that --data or HOLDFAST_DATA_DIR names', async () => {
    const cwd = createTemporaryFolder();
    const api = await startScriptedApi(listAgents);
    writeDataFolder(path.join(cwd, 'elsewhere'), { api: api.baseUrl, key: api.apiKey });
    const byFlag = await runCli(['agents', 'list', '--data', 'elsewhere'], { cwd });
    const byVariable = await runCli(['agents', 'list'], {
      cwd,
      environment: { HOLDFAST_DATA_DIR: 'elsewhere' },
    });
    expect([byFlag.stdout, byVariable.stdout]).toEqual([agentLine, agentLine]);
  });

  it('prefers --url and --key to everything else', async () => {
    const api = await startScriptedApi(listAgents);
    const environment = { HOLDFAST_URL: 'http://127.0.0.1:9', HOLDFAST_API_KEY: 'wrong' };
    const flags = ['--url', api.baseUrl, '--key', api.apiKey];
    await expect(runCli(['agents', 'list', ...flags], { environment })).resolves.toMatchObject({ code: 0 });
  });

  it('does not send the development key to another address', async () => {
    const cwd = createTemporaryFolder();
    const api = await startScriptedApi(listAgents);
    writeDataFolder(path.join(cwd, '.holdfast'), { api: 'http://127.0.0.1:9', key: api.apiKey });
    const result = await runCli(['agents', 'list', '--url', api.baseUrl], { cwd });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('--key');
    expect(api.requests).toHaveLength(0);
  });

  it('says in one sentence what to do when no API was started', async () => {
    const cwd = createTemporaryFolder();
    const result = await runCli(['chat', 'hello'], { cwd });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toBe(
      `No Holdfast runs from ${path.join(cwd, '.holdfast')}. ` +
        'Start it with "npm start", or name another one with --url and --key.\n',
    );
  });

  it('says in one sentence what to do when the started API no longer answers', async () => {
    const cwd = createTemporaryFolder();
    const api = await startScriptedApi({});
    writeDataFolder(path.join(cwd, '.holdfast'), { api: api.baseUrl, key: api.apiKey });
    await api.stop();
    const result = await runCli(['agents', 'list'], { cwd });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toBe(
      `Holdfast does not answer at ${api.baseUrl}. ` +
        'Start it with "npm start", or name another one with --url and --key.\n',
    );
  });

  it.each([['{'], ['null'], ['{"api":7}']])(
    'treats running.json with the content %j as if no API ran',
    async (text) => {
      const cwd = createTemporaryFolder();
      writeDataFolder(path.join(cwd, '.holdfast'), { api: '', key: 'any' });
      writeFileSync(path.join(cwd, '.holdfast', 'running.json'), text);
      const result = await runCli(['agents', 'list'], { cwd });
      expect(result.code).toBe(1);
      expect(result.stderr).toContain('npm start');
    },
  );

  it('names an environment variable that is invalid', async () => {
    const result = await runCli(['agents', 'list'], { environment: { HOLDFAST_URL: 'localhost' } });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('HOLDFAST_URL');
  });
});

describe('holdfast turns', () => {
  const events = [
    toStoredEvent(1, 'turn.started', { message: 'say hello' }),
    toStoredEvent(2, 'message.created', {
      ...toMessagePayload(''),
      toolCalls: [{ ...toCall(), type: 'mcp', arguments: { message: 'hello' } }],
    }),
    toStoredEvent(3, 'tool.started', { ...toCall(), attempt: 2 }),
    toStoredEvent(4, 'tool.executed', { ...toCall(), durationMs: 120, resultPreview: 'Echo: hello' }),
    toStoredEvent(5, 'turn.settled', toSettledPayload('It said hello.')),
  ];
  const turn = toTurn({
    outcome: 'completed',
    answer: 'It said hello.',
    settledAt: '2026-01-02T03:04:06.500Z',
    toolCalls: [toToolCall({ attempts: 2 })],
  });
  const firstPage = answerWith({ events: events.slice(0, 3), nextCursor: 'more' });
  const lastPage = answerWith({ events: events.slice(3), nextCursor: null });
  const script = {
    [`GET /api/turns/${turnId}`]: answerWith({ turn }),
    [`GET /api/turns/${turnId}/events`]: [
      streamOrPage(streamFrames([]), firstPage),
      streamOrPage(streamFrames([]), lastPage),
    ],
  };

  it('show prints the timeline and the answer', async () => {
    const api = await startScriptedApi({ ...script });
    const { stdout, code } = await runCli(['turns', 'show', turnId], { environment: toEnvironment(api) });
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      `Turn ${turnId} · completed · 1 iteration · 1 tool call · 12 tokens in, 5 out · 1.50 s`,
      `conversation ${turn.conversationId} · agent ${turn.agentId}`,
      '',
      '    0.000 s  turn.started    "say hello"',
      '    0.100 s  message.created iteration 1, demo, 12 tokens in, 5 out, asks for everything_echo',
      '    0.200 s  tool.started    everything_echo hello (attempt 2)',
      '    0.300 s  tool.executed   everything_echo, 120 ms: Echo: hello',
      '    0.400 s  turn.settled    completed',
      '',
      'It said hello.',
      '',
    ]);
  });

  it('show prints the attempts that failed with their reasons, where they happened', async () => {
    const at = (ms: number) => new Date(Date.parse(turn.createdAt) + ms).toISOString();
    const error = { code: 'MODEL_UNAVAILABLE', message: 'It answered with HTTP 503.' };
    const failedAttempts = [
      { iteration: 1, index: null, attempt: 1, error, failedAt: at(50) },
      {
        iteration: 1,
        index: 0,
        attempt: 1,
        error: { code: 'TOOL_UNREACHABLE', message: 'No route.' },
        failedAt: at(190),
      },
    ];
    const answered = answerWith({ turn: { ...turn, failedAttempts } });
    const api = await startScriptedApi({
      [`GET /api/turns/${turnId}`]: answered,
      [`GET /api/turns/${turnId}/events`]: answerWith({ events, nextCursor: null }),
    });
    const { stdout } = await runCli(['turns', 'show', turnId], { environment: toEnvironment(api) });

    expect(stdout.split('\n').slice(3, 9)).toEqual([
      '    0.000 s  turn.started    "say hello"',
      '    0.050 s  attempt failed  the model, attempt 1: MODEL_UNAVAILABLE It answered with HTTP 503.',
      '    0.100 s  message.created iteration 1, demo, 12 tokens in, 5 out, asks for everything_echo',
      '    0.190 s  attempt failed  everything_echo, attempt 1: TOOL_UNREACHABLE No route.',
      '    0.200 s  tool.started    everything_echo hello (attempt 2)',
      '    0.300 s  tool.executed   everything_echo, 120 ms: Echo: hello',
    ]);
  });

  it('show prints the turn and its events as JSON', async () => {
    const route = `GET /api/turns/${turnId}/events`;
    const api = await startScriptedApi({ ...script, [route]: answerWith({ events, nextCursor: null }) });
    const { stdout } = await runCli(['turns', 'show', turnId, '--json'], { environment: toEnvironment(api) });
    expect(JSON.parse(stdout)).toEqual({ turn, events });
  });

  it('show of an unknown turn prints an error and exits with 1', async () => {
    const api = await startScriptedApi({
      [`GET /api/turns/${turnId}`]: failWith(404, {
        code: 'NOT_FOUND',
        message: `No turn has the id ${turnId}.`,
      }),
    });
    const result = await runCli(['turns', 'show', turnId], { environment: toEnvironment(api) });
    expect(result).toEqual({ code: 1, stdout: '', stderr: `No turn has the id ${turnId}.\n` });
  });

  it('cancel asks the turn to stop', async () => {
    const api = await startScriptedApi({
      [`POST /api/turns/${turnId}/cancel`]: answerWith({ turn: toTurn() }),
      [`GET /api/turns/${turnId}`]: answerWith({ turn: toTurn() }),
    });
    const { stdout } = await runCli(['turns', 'cancel', turnId], { environment: toEnvironment(api) });
    expect(stdout).toBe(`Turn ${turnId} is asked to stop.\n`);
  });

  it('list prints one line for each turn of the conversation', async () => {
    const api = await startScriptedApi({
      'GET /api/turns': answerWith({ turns: [turn], nextCursor: null }),
    });
    const { stdout } = await runCli(['turns', 'list', conversationId], { environment: toEnvironment(api) });
    expect(stdout).toBe(`${turnId}  2026-01-02T03:04:05.000Z  completed        It said hello.\n`);
    expect(api.requests.map(({ query }) => query)).toMatchObject([{ conversationId }]);
  });
});

describe('holdfast', () => {
  it('lists agents as JSON', async () => {
    const api = await startScriptedApi(listAgents);
    const { stdout } = await runCli(['agents', 'list', '--json'], { environment: toEnvironment(api) });
    expect(JSON.parse(stdout)).toEqual([agent]);
  });

  it('names an unknown option in its error', async () => {
    const result = await runCli(['chat', '--loud']);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("unknown option '--loud'");
  });

  it('runs from any folder as the command of the package, on any version of Node', async () => {
    const api = await startScriptedApi(listAgents);
    const script = path.resolve('scripts/holdfast.mjs');
    const result = await runSpawned(['agents', 'list'], {
      command: ['node', script],
      cwd: createTemporaryFolder(),
      environment: toEnvironment(api),
    });
    expect(result).toEqual({ code: 0, stdout: agentLine, stderr: '' });
  });
});
