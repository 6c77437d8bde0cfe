import type { JsonObject } from '../../src/domain/json.ts';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import { calledTool } from './thousand-tools.ts';
import type { TimedServer } from './timed-server.ts';
import type { WantedCall } from './tool-calling-model.ts';

/** Makes a request to the API that has to succeed, and returns its data. */
export type Ask = <Data>(method: string, path: string, body?: unknown) => Promise<Data>;

/** The times of one operation that was repeated, in milliseconds. */
export interface ToolsRow {
  name: string;
  /** From the request to its answer. */
  wallMs: number[];
  /** The same less the time of the model's and the MCP server's own work. */
  ownMs: number[];
}

interface ToolsStage {
  ask: Ask;
  model: TimedServer;
  server: TimedServer;
  count: number;
}

const warmUps = 5;

/** Measures discovery of a thousand tools, and turns that call one of them. */
export async function measureTools(stage: ToolsStage): Promise<ToolsRow[]> {
  const { ask } = stage;
  const connectionId = await createConnection(stage, 'thousand');
  const discover = (id: string) => ask('GET', `/api/connections/${id}/mcp-tools`);
  const others = await createConnections(stage, stage.count + warmUps);
  const rows = [
    await measure(stage, 'discovery of 1,000 tools', () => discover(connectionId)),
    await measure(stage, 'the same, new connections', () => discover(others.pop() ?? '')),
  ];
  for (const execution of executionModes) {
    const direct = await createAgent(ask, execution, [toDirectTool(connectionId)]);
    const gateway = await createAgent(ask, execution, [gatewayTool]);
    const call = { action: 'call', server: 'thousand', tool: calledTool, args: { id: '4711' } };
    const list = { action: 'list', query: 'archive the contract of a department' };
    const turns: [string, string, WantedCall][] = [
      ['turn, direct call', direct, { name: calledTool, arguments: { id: '4711' } }],
      ['turn, gateway call', gateway, { name: 'mcp', arguments: call }],
      ['turn, gateway list', gateway, { name: 'mcp', arguments: list }],
    ];
    for (const [name, agentId, wanted] of turns) {
      rows.push(await measure(stage, `${name} (${execution})`, () => takeTurn(ask, agentId, wanted)));
    }
  }
  return rows;
}

async function createConnection({ ask, server }: ToolsStage, name: string): Promise<string> {
  const body = { name, provider: 'mcp', endpoint: server.url };
  return (await ask<{ connection: { id: string } }>('POST', '/api/connections', body)).connection.id;
}

function createConnections(stage: ToolsStage, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `other ${index}`);
  return Promise.all(names.map((name) => createConnection(stage, name)));
}

async function measure(stage: ToolsStage, name: string, run: () => Promise<unknown>): Promise<ToolsRow> {
  const row: ToolsRow = { name, wallMs: [], ownMs: [] };
  for (let index = -warmUps; index < stage.count; index++) {
    stage.model.takeBusyMs();
    stage.server.takeBusyMs();
    const startedAt = performance.now();
    await run();
    const wallMs = performance.now() - startedAt;
    const ownMs = wallMs - stage.model.takeBusyMs() - stage.server.takeBusyMs();
    if (index < 0) continue;
    row.wallMs.push(wallMs);
    row.ownMs.push(ownMs);
  }
  return row;
}

const openSchema: JsonObject = { type: 'object', properties: {} };

const gatewayTool = {
  type: 'mcp',
  name: 'mcp',
  description: 'Lists and calls tools of MCP servers.',
  schema: openSchema,
  config: { gateway: true, servers: ['thousand'] },
};

function toDirectTool(connectionId: string) {
  return {
    type: 'mcp',
    name: calledTool,
    description: 'A tool of the server.',
    schema: openSchema,
    config: { connectionId, provider: 'mcp' },
  };
}

async function createAgent(ask: Ask, execution: ExecutionMode, tools: object[]): Promise<string> {
  const { agent } = await ask<{ agent: { id: string } }>('POST', '/api/agents', {
    name: `Bench ${execution}`,
    model: 'compatible/bench',
    instructions: 'Call the tool that is asked for.',
    execution,
    tools,
  });
  return agent.id;
}

async function takeTurn(ask: Ask, agentId: string, wanted: WantedCall): Promise<void> {
  const { conversation } = await ask<{ conversation: { id: string } }>('POST', '/api/conversations', {
    agentId,
  });
  const { turn } = await ask<{ turn: { outcome: string; toolCalls: { status: string }[] } }>(
    'POST',
    `/api/conversations/${conversation.id}/turns?wait=true`,
    { message: JSON.stringify(wanted) },
  );
  const [call] = turn.toolCalls;
  if (turn.outcome !== 'completed' || call?.status !== 'succeeded') {
    throw new Error(`a turn ended as ${JSON.stringify(turn)}`);
  }
}
