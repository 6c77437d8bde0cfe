import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Agent } from '../../src/domain/agent.ts';
import type { AuditEvent } from '../../src/domain/audit.ts';
import { resolveConnector, type AgentConfiguration, type Connector } from '../../src/domain/connector.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { checkToolArguments } from '../../src/engines/tools/json-schema/tool-arguments.ts';
import { startHttpServer, type HttpServer } from '../servers/http-server.ts';
import { startLabApi, type LabApi } from '../labs/lab-api.ts';
import type { ScriptEntry } from '../servers/scripted-model.ts';
import { shareTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let lab: TurnLab;
let api: LabApi;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  lab = await shareTurnLab();
  api = await startLabApi(lab);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
  await api.stop();
  await lab.close();
});

interface RpcRequest {
  id?: number | string;
  method: string;
  params?: { name: string; arguments: Record<string, unknown> };
}

type RpcAnswer = { result: unknown } | { error: { code: number; message: string } };

/** A JSON-RPC server as plain as can be: no SDK, no sessions, one JSON body an answer. */
async function startFootballServer(
  answerCall: (name: string, input: Record<string, unknown>) => RpcAnswer | string | null = findPlayers,
) {
  const calls: { name: string; input: Record<string, unknown>; authorization: string | undefined }[] = [];
  const tools = ['search_players', 'get_report'].map((name) => ({
    name,
    description: `Runs ${name}.`,
    inputSchema: { type: 'object', properties: { league: { type: 'string' } } },
  }));
  const serverInfo = { name: 'football', version: '1.0.0' };
  const initialized = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  const answers: Record<string, unknown> = { initialize: initialized, 'tools/list': { tools } };
  const server: HttpServer = await startHttpServer((request, response, body) => {
    const { id, method, params } = JSON.parse(body === '' ? '{}' : body) as RpcRequest;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (request.headers.authorization !== 'Bearer football-key') return void response.writeHead(401).end();
    if (id === undefined) return void response.writeHead(202).end();
    const send = (answer: RpcAnswer) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    };
    if (method in answers) {
      send({ result: answers[method] });
      return;
    }
    if (method !== 'tools/call' || !params) {
      send({ error: { code: -32601, message: 'Method not found' } });
      return;
    }
    const { authorization } = request.headers;
    calls.push({ name: params.name, input: params.arguments, authorization });
    const answer = answerCall(params.name, params.arguments);
    // Null stays without an answer.
    if (typeof answer === 'string')
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    else if (answer !== null) send(answer);
  });
  closing.push(server.close);
  return { url: server.url, calls };
}

function findPlayers(name: string, input: Record<string, unknown>): RpcAnswer {
  const found = name === 'search_players' ? { players: ['Rossi'], ...input } : { report: 'Rossi scores.' };
  return { result: { content: [{ type: 'text', text: JSON.stringify(found) }] } };
}

interface Provisioned {
  agent: Agent;
  configuration: AgentConfiguration;
  connector: Connector;
}

/** Registers a connector with both tools, and an agent of its own that is provisioned with it. */
async function provision(endpoint: string, body: object = {}, key = 'football-key'): Promise<Provisioned> {
  const { connector } = await api.ask<{ connector: Connector }>('POST', '/api/connectors', {
    name: `football-${newId()}`,
    type: 'mcp',
    endpoint,
    auth: { api_key: key },
    tools: ['search_players', 'get_report'],
  });
  closing.push(async () => {
    await api.ask('DELETE', `/api/connectors/${connector.id}`);
  });
  const { agent } = await api.ask<{ agent: Agent }>('POST', '/api/agents', {
    name: 'Scout',
    model: `compatible/${connector.name}`,
    instructions: 'You find players.',
    limits: { maxIterations: 3, activityTimeoutMs: 2000 },
  });
  await api.ask('POST', `/api/agents/${agent.id}/connectors`, { connectorId: connector.id });
  return {
    connector,
    ...(await api.ask<Omit<Provisioned, 'connector'>>('POST', `/api/agents/${agent.id}/provision`, body)),
  };
}

/** Adds an answer to the script of the agent's model. */
function reply({ connector }: Provisioned, ...entries: ScriptEntry[]): void {
  const answers = entries.map((entry) => ({
    ...entry,
    when: (body: { model: string }) => body.model === connector.name,
  }));
  lab.model.reply(...answers);
}

function callTool(name: string, input: Record<string, string> = { league: 'Serie A' }): ScriptEntry {
  return { toolCalls: [{ name, arguments: input }] };
}

async function listAudit(toolCallId: string | undefined): Promise<AuditEvent[]> {
  const path = `/api/audit-events?subjectId=${toolCallId ?? ''}`;
  return (await api.ask<{ auditEvents: AuditEvent[] }>('GET', path)).auditEvents;
}

describe('MCP client', () => {
  test('mock HTTP server returning JSON-RPC responses', async () => {
    const server = await startFootballServer();
    const provisioned = await provision(server.url);
    reply(provisioned, callTool('search_players'), { text: 'Rossi plays there.' });
    const { outcome, toolCalls } = await api.say(provisioned.agent.id, 'Find Serie A players');
    expect(outcome).toBe('completed');
    expect(toolCalls).toMatchObject([
      { status: 'succeeded', result: '{"players":["Rossi"],"league":"Serie A"}' },
    ]);
    expect(server.calls).toEqual([
      { name: 'search_players', input: { league: 'Serie A' }, authorization: 'Bearer football-key' },
    ]);
  });

  test('error handling: timeout', async () => {
    const provisioned = await provision((await startFootballServer(() => null)).url);
    reply(provisioned, callTool('search_players'), { text: 'The tool did not answer.' });
    const { outcome, toolCalls } = await api.say(provisioned.agent.id, 'Find Serie A players');
    expect(outcome).toBe('completed');
    expect(toolCalls).toMatchObject([{ status: 'unknown', error: { code: 'TOOL_OUTCOME_UNKNOWN' } }]);
    expect(toolCalls[0]?.error?.message).toContain('TOOL_TIMED_OUT');
  });

  test('error handling: invalid JSON-RPC', async () => {
    const provisioned = await provision((await startFootballServer(() => '{"jsonrpc": "2.0", nonsense')).url);
    reply(provisioned, callTool('search_players'), { text: 'The tool answered nonsense.' });
    const { outcome, toolCalls } = await api.say(provisioned.agent.id, 'Find Serie A players');
    expect(outcome).toBe('completed');
    expect(['failed', 'unknown']).toContain(toolCalls[0]?.status);
  });

  test('error handling: a JSON-RPC error keeps its code and message', async () => {
    const answer = { error: { code: -32042, message: 'No such league' } };
    const provisioned = await provision((await startFootballServer(() => answer)).url);
    reply(provisioned, callTool('search_players'), { text: 'There is no such league.' });
    const { toolCalls } = await api.say(provisioned.agent.id, 'Find Serie Z players');
    expect(toolCalls[0]?.error).toMatchObject({ code: 'TOOL_FAILED', details: { jsonRpcCode: -32042 } });
    expect(toolCalls[0]?.error?.message).toContain('No such league');
  });

  test('error handling: auth failure', async () => {
    const server = await startFootballServer();
    const provisioned = await provision(server.url);
    const { connectionId } = provisioned.connector;
    await api.ask('PATCH', `/api/connections/${connectionId}`, {
      auth: { type: 'bearer', token: 'a-wrong-key' },
    });
    reply(provisioned, callTool('search_players'), { text: 'I was not let in.' });
    const { outcome, toolCalls } = await api.say(provisioned.agent.id, 'Find Serie A players');
    expect(outcome).toBe('completed');
    expect(toolCalls).toMatchObject([{ status: 'failed' }]);
    expect(toolCalls[0]?.error?.message).toContain('401');
    expect(server.calls).toEqual([]);
  });
});

describe('Connector resolver', () => {
  test('tool-to-connector mapping', () => {
    const shared = { type: 'mcp' as const, endpoint: 'https://example.com/mcp', connectionId: newId() };
    const players = { ...shared, id: newId(), name: 'players', tools: ['search_players', 'get_report'] };
    const weather = { ...shared, id: newId(), name: 'weather', tools: ['get_forecast'] };
    expect(resolveConnector([players, weather], 'get_report')).toBe(players);
    expect(resolveConnector([players, weather], 'get_forecast')).toBe(weather);
    expect(resolveConnector([players, weather], 'players')).toBeUndefined();
  });
});

describe('Tool loop', () => {
  test('single tool call → result → final response', async () => {
    const provisioned = await provision((await startFootballServer()).url);
    reply(provisioned, callTool('search_players'), { text: 'Rossi plays in Serie A.' });
    const turn = await api.say(provisioned.agent.id, 'Find Serie A players');
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Rossi plays in Serie A.', iterations: 2 });
    const last = lab.model.requests.at(-1)?.body.messages.slice(-2);
    expect(last).toMatchObject([
      { role: 'assistant', tool_calls: [{ function: { name: 'search_players' } }] },
      { role: 'tool', content: '{"players":["Rossi"],"league":"Serie A"}' },
    ]);
    expect(await listAudit(turn.toolCalls[0]?.id)).toMatchObject([
      {
        type: 'tool.executed',
        payload: { tool_name: 'search_players', connector_name: provisioned.connector.name, error: null },
      },
    ]);
  });

  test('multi-tool sequence (2 calls in sequence)', async () => {
    const server = await startFootballServer();
    const provisioned = await provision(server.url);
    reply(provisioned, callTool('search_players'), callTool('get_report', {}), { text: 'Rossi scores.' });
    const turn = await api.say(provisioned.agent.id, 'Find Serie A players and report');
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Rossi scores.', iterations: 3 });
    expect(server.calls.map(({ name }) => name)).toEqual(['search_players', 'get_report']);
  });

  test('max iteration limit enforcement', async () => {
    const server = await startFootballServer();
    const provisioned = await provision(server.url);
    const again = [1, 2, 3].map(() => callTool('search_players'));
    reply(provisioned, ...again, { text: 'I have found Rossi so far.' });
    const turn = await api.say(provisioned.agent.id, 'Find all players');
    expect(turn).toMatchObject({ outcome: 'iteration_limit', answer: 'I have found Rossi so far.' });
    expect(server.calls).toHaveLength(3);
  });

  test('a failed call is told and audited, not dropped', async () => {
    const answer = { result: { isError: true, content: [{ type: 'text', text: 'The league is closed.' }] } };
    const provisioned = await provision((await startFootballServer(() => answer)).url);
    reply(provisioned, callTool('search_players'), { text: 'It is closed.' });
    const { toolCalls } = await api.say(provisioned.agent.id, 'Find Serie A players');
    expect(toolCalls).toMatchObject([{ status: 'failed', error: { message: 'The league is closed.' } }]);
    const [audit] = await listAudit(toolCalls[0]?.id);
    expect(audit).toMatchObject({ type: 'tool.failed', payload: { tool_name: 'search_players' } });
    expect(audit?.payload.duration_ms).toEqual(expect.any(Number));
    expect(JSON.stringify(audit?.payload.error)).toContain('The league is closed.');
  });
});

describe('Connector injection', () => {
  test('the connectors of the agent are listed during provision', async () => {
    const { agent, connector } = await provision((await startFootballServer()).url);
    expect(agent.connectors).toMatchObject([{ name: connector.name, tools: connector.tools }]);
    expect(agent.tools.map(({ name, type }) => [name, type])).toEqual([
      ['search_players', 'mcp'],
      ['get_report', 'mcp'],
    ]);
  });
});

describe('Config push', () => {
  test('connectors included in payload', async () => {
    const server = await startFootballServer();
    const { agent, connector, configuration } = await provision(server.url, {
      tool_allowlist: ['search_players', 'get_report'],
      tool_policies: { search_players: { allowedValues: { league: ['Serie A'] } } },
      canary_tokens: ['canary-of-the-scout'],
    });
    expect(configuration).toMatchObject({
      tool_allowlist: ['search_players', 'get_report'],
      tool_policies: { search_players: { allowedValues: { league: ['Serie A'] } } },
      connectors: [{ name: connector.name, type: 'mcp', endpoint: server.url, tools: connector.tools }],
    });
    const read = await api.ask<{ configuration: AgentConfiguration }>(
      'GET',
      `/api/agents/${agent.id}/configuration`,
    );
    expect(read.configuration).toEqual(configuration);
    expect(JSON.stringify(read)).not.toMatch(/football-key|canary-of-the-scout/);
  });

  test('two connectors with the same tool are an error when an agent is given both', async () => {
    const server = await startFootballServer();
    const { agent, connector } = await provision(server.url);
    const request = {
      name: 'other',
      endpoint: server.url,
      auth: { api_key: 'football-key' },
      tools: ['get_report'],
    };
    const other = await api.ask<{ connector: Connector }>('POST', '/api/connectors', request);
    closing.push(async () => {
      await api.call('DELETE', `/api/connectors/${other.connector.id}`);
    });
    await api.ask('POST', `/api/agents/${agent.id}/connectors`, { connectorId: other.connector.id });
    const { status, error } = await api.call('POST', `/api/agents/${agent.id}/provision`, {});
    expect([status, error.code]).toEqual([409, 'CONFLICT']);
    expect(error.message).toContain('other:get_report');
    const names = { 'other:get_report': 'other_report' };
    await api.ask('POST', `/api/agents/${agent.id}/provision`, { tool_names: names });
    expect(connector.tools).toContain('get_report');
  });

  test('tool calls respect the allowlist and the policies of the parameters', async () => {
    const server = await startFootballServer();
    const provisioned = await provision(server.url, {
      tool_allowlist: ['search_players'],
      tool_policies: { search_players: { allowedValues: { league: ['Serie A'] } } },
    });
    const wrong = callTool('search_players', { league: 'Serie B' });
    reply(provisioned, wrong, callTool('get_report', {}), { text: 'I may not.' });
    const turn = await api.say(provisioned.agent.id, 'Find Serie B players');
    expect(turn.toolCalls.map(({ status, error }) => [status, error?.code])).toEqual([
      ['blocked', 'TOOL_BLOCKED'],
      ['blocked', 'TOOL_BLOCKED'],
    ]);
    expect(server.calls).toEqual([]);
    const audited = await Promise.all(turn.toolCalls.map(({ id }) => listAudit(id)));
    expect(audited.flat().map(({ type }) => type)).toEqual(['tool.blocked', 'tool.blocked']);
  });
});

describe('Existing', () => {
  test('the check of arguments against the schema of a tool is unchanged', () => {
    const schema = { type: 'object', properties: { league: { type: 'string' } }, required: ['league'] };
    expect(checkToolArguments(schema, { league: 'Serie A' })).toEqual([]);
    expect(checkToolArguments(schema, {})).toEqual([{ field: 'league', message: 'is required' }]);
  });
});
