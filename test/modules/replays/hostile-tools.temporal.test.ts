import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Agent } from '../../../src/domain/agent.ts';
import type { Replay } from '../../../src/domain/replay.ts';
import { startLabApiProcess, type LabApi } from '../../labs/lab-api.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { readRuns, readSummary, recordConversation, waitForReplay } from '../../labs/replay-scene.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startHttpServer, type HttpServer } from '../../servers/http-server.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';
import { startPlannedModel, type PlannedModel } from '../../servers/planned-model.ts';

let lab: TurnLab;
let api: LabApi;
let model: PlannedModel;
let server: ScriptedServer;
let trap: HttpServer;
/** The requests that reached the trap, and the tools that were called at the MCP server. */
const reached: string[] = [];

const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-hostile-'));

function toSource(url: string): string {
  return `
import { defineFunction, z } from 'holdfast/functions';
export const phone_home = defineFunction({
  name: 'phone_home',
  description: 'Phones home.',
  input: z.object({}),
  run: async () => (await fetch('${url}/function')).text(),
});
`;
}

beforeAll(async () => {
  trap = await startHttpServer((request, response) => {
    reached.push(String(request.url));
    response.end('{"ok":true}');
  });
  server = await startScriptedServer({
    spread: () => {
      reached.push('mcp');
      return Promise.resolve(textResult('spread'));
    },
  });
  model = await startPlannedModel();
  writeFileSync(path.join(folder, 'phone-home.ts'), toSource(trap.url));
  lab = await startTurnLab({
    worker: false,
    mcpServers: { lab: { url: server.url } },
    environment: {
      ...{ HOLDFAST_COMPATIBLE_BASE_URL: model.baseUrl, HOLDFAST_FUNCTIONS: folder },
      HOLDFAST_ALLOW_LOOPBACK: 'true',
    },
  });
  await lab.startWorkerProcess();
  // Functions of a folder outside of the project are loaded by Node itself.
  api = await startLabApiProcess(lab);
});

afterAll(async () => {
  await api.stop();
  await lab.close();
  await server.close();
  await model.close();
  await trap.close();
  rmSync(folder, { recursive: true, force: true });
});

async function createAgent(): Promise<Agent> {
  const auth = { type: 'bearer', token: 'xoxb-of-the-replay' };
  const { connection } = await api.ask<{ connection: { id: string } }>('POST', '/api/connections', {
    ...{ name: 'Slack', provider: 'slack', endpoint: trap.url, auth },
  });
  const anything = { type: 'object', properties: {} };
  const tools = [
    { type: 'function', name: 'phone_home', description: 'Phones home.', schema: anything, config: {} },
    {
      ...{ type: 'function', name: 'http_request', description: 'Requests.', schema: anything, config: {} },
    },
    { ...mcpTool('spread', {}, anything), description: 'Spreads.' },
    {
      ...{
        type: 'mcp',
        name: 'post',
        description: 'Posts.',
        schema: anything,
        settings: { approval: 'never' },
      },
      config: { provider: 'slack', connectionId: connection.id, tool: 'slack_sendMessage' },
    },
  ];
  const { agent } = await api.ask<{ agent: Agent }>('POST', '/api/agents', {
    ...{
      name: 'Hostile',
      model: 'compatible/planned',
      instructions: 'Be still.',
      execution: 'direct',
      tools,
    },
  });
  return agent;
}

const rounds = [
  [
    { tool: 'Phones', arguments: {} },
    { tool: 'Requests', arguments: { url: 'http://127.0.0.1:1/request' } },
    { tool: 'Spreads', arguments: {} },
    { tool: 'Posts', arguments: { channel: 'C1', text: 'Hello' } },
  ],
];

test('tools that send requests live send none in a replay from recordings, whatever it does about misses', async () => {
  const agent = await createAgent();
  const still = { rounds: [], answer: 'Still.', instructed: { 'Act.': { rounds, answer: 'Acted.' } } };
  const [turn] = await recordConversation({ api }, agent.id, [still]);
  expect(turn).toMatchObject({ outcome: 'completed', answer: 'Still.' });

  for (const onMiss of ['stop', 'stub']) {
    const { replay } = await api.ask<{ replay: Replay }>('POST', '/api/replays', {
      ...{ selection: { turnIds: [turn?.id] }, candidate: { instructions: 'Act.' }, onMiss, baseline: false },
    });
    expect(await waitForReplay({ api }, replay.id)).toMatchObject({
      status: 'completed',
      runs: { failed: 0 },
    });
    const summary = await readSummary({ lab }, replay.id);
    expect(summary.outside).toEqual({ connectionsOpened: 0, credentialsDecrypted: 0 });
    const candidate = (await readRuns({ lab }, replay.id)).find(({ lane }) => lane === 'candidate');
    const answers = candidate?.run?.turns[0]?.steps[0]?.calls.map(({ answeredBy }) => answeredBy);
    expect(answers).toEqual(Array.from({ length: 4 }, () => (onMiss === 'stop' ? 'missed' : 'stub')));
  }
  expect(reached).toEqual([]);

  // The same calls of a live turn do reach them, so the trap is one.
  await api.ask('PATCH', `/api/agents/${agent.id}`, { instructions: 'Act.' });
  await recordConversation({ api }, agent.id, [still]);
  expect(reached).toEqual(expect.arrayContaining(['/function', 'mcp']));
});
