import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createConnection } from '../../../src/modules/connections/create-connection.ts';
import type { ApprovalMode } from '../../../src/domain/approval.ts';
import { executionModes } from '../../../src/domain/agent.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { isSettled } from '../../../src/domain/turn-status.ts';
import type { ToolInput, ToolSettings } from '../../../src/domain/tool.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { loadConfig } from '../../../src/main/config.ts';
import { createServices, type Services } from '../../../src/main/create-services.ts';
import { waitForQuestions } from '../../labs/asking-scene.ts';
import { eventually } from '../../labs/eventually.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import {
  findFreePort,
  startScriptedServer,
  textResult,
  type ScriptedServer,
  type ScriptedServerOptions,
} from '../../servers/mcp-servers.ts';

const encryption = { HOLDFAST_ENCRYPTION_KEYS: `lab:${randomBytes(32).toString('base64')}` };
const textSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

let lab: TurnLab;
let services: Services;
let server: ScriptedServer;
/** The name of the connection to the server. */
let shop: string;
const definitions: NonNullable<ScriptedServerOptions['definitions']> = {};
const wiped: unknown[] = [];

/** The server of the operator's catalogue and the connection lead to the same tools. */
beforeAll(async () => {
  server = await startScriptedServer(
    {
      wipe: ({ arguments: input }) => {
        wiped.push(input);
        return textResult('wiped');
      },
      look: () => textResult('seen'),
      touch: () => textResult('touched'),
      ask: async ({ elicit }) => {
        const requestedSchema = { type: 'object', properties: {} } as const;
        return textResult((await elicit({ message: 'Really?', requestedSchema })).action);
      },
      redefine: async ({ announceTools }) => {
        definitions['wipe'] = { ...definitions['wipe'], description: `Wipes more. ${newId()}` };
        await announceTools();
        return textResult('redefined');
      },
    },
    { definitions },
  );
  const gone = `http://127.0.0.1:${await findFreePort()}/mcp`;
  lab = await startTurnLab({
    mcpServers: { lab: { url: server.url }, gone: { url: gone } },
    environment: encryption,
  });
  const config = loadConfig(lab.environment);
  services = await createServices({
    ...{ config, databaseUrl: lab.databaseUrl },
    logger: pino({ level: 'silent' }),
  });
});
beforeEach(async () => {
  Object.assign(definitions, {
    wipe: { description: 'Wipes.', inputSchema: textSchema, annotations: { destructiveHint: true } },
    look: { annotations: { readOnlyHint: true } },
  });
  wiped.length = 0;
  shop = (await connect({ provider: 'mcp', endpoint: server.url, auth: { type: 'none' } })).name;
});
afterEach(() => setWorkspaceApproval(null));
afterAll(async () => {
  await services.close();
  await lab.close();
  await server.close();
});

function connect(input: Omit<Parameters<typeof createConnection>[2], 'name'>) {
  const caller = { workspaceId: lab.workspaceId, apiKeyId: newId() };
  return createConnection(services, caller, { name: `shop ${newId()}`, ...input });
}

async function setWorkspaceApproval(approval: ApprovalMode | null): Promise<void> {
  await lab.database.system('workspaces').where({ id: lab.workspaceId }).update({ approval });
}

function gatewayOver(servers: string[], settings?: ToolSettings): ToolInput {
  const schema = { type: 'object', properties: { action: { type: 'string' } }, required: ['action'] };
  return {
    ...{ type: 'mcp', name: 'mcp', description: 'Lists and calls tools.', schema },
    config: { gateway: true, servers },
    ...(settings ? { settings } : {}),
  };
}

function through(name: string, tool: string, args: JsonObject = {}) {
  return { name: 'mcp', arguments: { action: 'call', server: name, tool, args } };
}

const wipe = (name: string, text = 'milk') => through(name, 'wipe', { text });

/** Lets a turn of its own change the definition of `wipe`. */
async function redefine(name: string): Promise<void> {
  const scene = await lab.scene({ tools: [gatewayOver([name])] });
  scene.reply({ toolCalls: [through(name, 'redefine')] }, { text: 'Done.' });
  const turn = await lab.waitForOutcome(await scene.say('Redefine it.'));
  expect(turn.toolCalls).toMatchObject([{ result: 'redefined' }]);
}

test('a question of a server names its connection, also behind a gateway', async () => {
  const connection = await connect({ provider: 'mcp', endpoint: server.url, auth: { type: 'none' } });
  const { id: connectionId, name } = connection;
  const ask: ToolInput = {
    ...{ type: 'mcp', name: 'ask', description: 'Asks.', schema: { type: 'object' } },
    config: { connectionId, provider: 'mcp' },
  };
  const scene = await lab.scene({ tools: [ask, gatewayOver([name])] });
  for (const call of [{ name: 'ask', arguments: {} }, through(name, 'ask')]) {
    scene.reply({ toolCalls: [call] }, { text: 'Done.' });
    const turnId = await scene.say('Ask.');
    const [action] = await waitForQuestions(lab, turnId);

    expect(action?.server).toBe(name);
    await lab.decide(action?.id ?? '', { decision: 'answer', answer: {} });
    const turn = await lab.waitForOutcome(turnId);
    expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', result: 'accept' }]);
  }
});

describe.each(executionModes)('in a turn in %s execution', (execution) => {
  test('a destructive tool behind the gateway waits, and others and lists do not', async () => {
    const scene = await lab.scene({ execution, tools: [gatewayOver([shop])] });
    const list = { name: 'mcp', arguments: { action: 'list' } };
    const toolCalls = [list, through(shop, 'look'), through(shop, 'touch'), wipe(shop, 'a'), wipe(shop, 'b')];
    scene.reply({ toolCalls }, { text: 'Done.' });
    const turnId = await scene.say('Wipe it.');
    const actions = await lab.waitForActions(turnId, 2);
    const first = actions.find(({ arguments: { args } }) => JSON.stringify(args) === '{"text":"a"}');

    expect(first).toMatchObject({ kind: 'approval', tool: 'mcp', target: `${shop}:wipe`, canRemember: true });
    const waiting = await lab.readTurn(turnId);
    expect(waiting.toolCalls.map(({ status }) => status)).toEqual([
      ...['succeeded', 'succeeded', 'succeeded', 'requested', 'requested'],
    ]);
    expect(wiped).toEqual([]);
    for (const { id } of actions) await lab.decide(id, { decision: id === first?.id ? 'approve' : 'reject' });
    const turn = await lab.waitForOutcome(turnId);

    expect(wiped).toEqual([{ text: 'a' }]);
    expect(turn.toolCalls.slice(3)).toMatchObject([
      { status: 'succeeded', attempts: 1, result: 'wiped' },
      { status: 'failed', error: { code: 'APPROVAL_REJECTED' } },
    ]);
  });

  test.each([
    ['the operator', () => 'lab', 'APPROVAL_MISMATCH'],
    ['a connection', () => shop, 'TOOL_QUARANTINED'],
  ])('a tool of a server of %s does not run when it is redefined after its approval', async (...parts) => {
    const [, nameOf, code] = parts;
    const name = nameOf();
    const scene = await lab.scene({ execution, tools: [gatewayOver([name])] });
    scene.reply({ toolCalls: [wipe(name)] }, { text: 'Done.' });
    const turnId = await scene.say('Wipe it.');
    const [action] = await lab.waitForActions(turnId);
    await redefine(name);
    await lab.decide(action?.id ?? '', { decision: 'approve' });
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', toolCalls: [{ status: 'failed', error: { code } }] });
    expect(wiped).toEqual([]);
  });

  test('the call of a server that is away fails without being asked about', async () => {
    const scene = await lab.scene({ execution, tools: [gatewayOver(['gone'])] });
    scene.reply({ toolCalls: [wipe('gone')] }, { text: 'It is away.' });
    const turn = await lab.waitForOutcome(await scene.say('Wipe it.'));

    expect(turn).toMatchObject({ outcome: 'completed', toolCalls: [{ status: 'failed' }] });
    expect(turn.toolCalls[0]?.error?.code).toMatch(/^TOOL_UN(REACHABLE|AVAILABLE)$/);
    const events = await lab.readEvents(scene.conversationId);
    expect(events.filter(({ type }) => type.startsWith('action.'))).toEqual([]);
  });
});

/** Returns the statuses of the calls of one answer, once all of them have ended or wait. */
async function play(tools: ToolInput[], toolCalls: ReturnType<typeof through>[], rules: object = {}) {
  const scene = await lab.scene({
    tools,
    rules: { toolPolicies: {}, canaryTokens: [], onBlocked: 'continue', ...rules },
  });
  scene.reply({ toolCalls }, { text: 'Done.' });
  const turnId = await scene.say('Do it.');
  const { toolCalls: calls, pendingActions } = await eventually(
    () => lab.readTurn(turnId),
    ({ status }) => isSettled(status) || status === 'waiting_for_approval',
  );
  for (const { id } of pendingActions) await lab.decide(id, { decision: 'reject' });
  await lab.waitForOutcome(turnId);
  return calls.map(({ status, error }) => error?.code ?? status);
}

test('the mode of the workspace holds for tools without annotations, and not for read-only ones', async () => {
  await setWorkspaceApproval('ask');
  const calls = [through(shop, 'look'), through(shop, 'touch'), wipe(shop)];
  expect(await play([gatewayOver([shop])], calls)).toEqual(['succeeded', 'requested', 'requested']);
  const unsafe = gatewayOver([shop], { effect: 'unsafe' });
  expect(await play([unsafe], calls)).toEqual(['requested', 'requested', 'requested']);
});

test('a setting of the gateway holds for all of its calls, and policies may only be stricter', async () => {
  const calls = [through(shop, 'look'), wipe(shop)];
  const tools = [gatewayOver([shop], { approval: 'never' })];
  expect(await play(tools, calls)).toEqual(['succeeded', 'succeeded']);
  const toolPolicies = { [`${shop}:look`]: { approval: 'ask' } };
  expect(await play(tools, calls, { toolPolicies })).toEqual(['requested', 'succeeded']);
  expect(await play([gatewayOver([shop], { approval: 'ask' })], calls)).toEqual(['requested', 'requested']);
});

test('a tool of the agent that leads to the same place makes the gateway ask, and never keeps it from asking', async () => {
  const { id, name } = await connect({ provider: 'mcp', endpoint: server.url, auth: { type: 'none' } });
  const own = (tool: string, approval: ApprovalMode): ToolInput => ({
    ...{ type: 'mcp', name: tool, description: 'Own.', schema: { type: 'object' }, settings: { approval } },
    config: { connectionId: id, provider: 'mcp' },
  });
  const tools = [gatewayOver([name]), own('touch', 'ask'), own('wipe', 'never')];
  expect(await play(tools, [through(name, 'touch'), wipe(name), through(name, 'look')])).toEqual([
    ...['requested', 'requested', 'succeeded'],
  ]);
});

test('nobody is asked about a call that cannot run', async () => {
  const calls = [through(shop, 'wipe', { text: 5 }), through(shop, 'nothing'), wipe('elsewhere')];
  expect(await play([gatewayOver([shop])], calls)).toEqual([
    ...['INVALID_TOOL_ARGUMENTS', 'UNKNOWN_TOOL', 'UNKNOWN_TOOL'],
  ]);
});

test('an operation of a provider that deletes something waits when its arguments fit', async () => {
  const auth = { type: 'bearer' as const, token: 'xoxb-of-the-gateway' };
  const { name } = await connect({ provider: 'slack', endpoint: 'http://127.0.0.1:1', auth });
  const message = { channel: 'C1', ts: '1712345678.000100' };
  const calls = [
    through(name, 'slack_deleteMessage', message),
    through(name, 'slack_deleteMessage', { channel: 'C1' }),
  ];
  expect(await play([gatewayOver([name])], calls)).toEqual(['requested', 'INVALID_TOOL_ARGUMENTS']);
});

test('a person may change the arguments of the tool that is called, and not which tool it is', async () => {
  const scene = await lab.scene({ tools: [gatewayOver([shop])] });
  scene.reply({ toolCalls: [wipe(shop)] }, { text: 'Done.' });
  const turnId = await scene.say('Wipe it.');
  const [action] = await lab.waitForActions(turnId);
  const approveWith = (call: ReturnType<typeof through>) =>
    lab.decide(action?.id ?? '', { decision: 'approve', arguments: call.arguments });
  for (const other of [through(shop, 'touch', { text: 'milk' }), wipe('lab')])
    await expect(approveWith(other)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await approveWith(wipe(shop, 'tea'));
  await lab.waitForOutcome(turnId);
  expect(wiped).toEqual([{ text: 'tea' }]);
});

test('an approval that is remembered at the first call holds for the next, until the tool is another one', async () => {
  const scene = await lab.scene({ tools: [gatewayOver(['lab'])] });
  const ask = () => {
    scene.reply({ toolCalls: [wipe('lab')] }, { text: 'Done.' });
    return scene.say('Wipe it.');
  };
  const first = await ask();
  const [action] = await lab.waitForActions(first);
  const until = new Date(Date.now() + 600_000).toISOString();
  const remember = { tool: 'mcp', pins: { 'args.text': 'milk' }, scope: 'agent' as const, until };
  await lab.decide(action?.id ?? '', { decision: 'approve', remember });
  await lab.waitForOutcome(first);
  await lab.waitForOutcome(await ask());
  expect(wiped).toEqual([{ text: 'milk' }, { text: 'milk' }]);

  await redefine('lab');
  const last = await ask();
  const [asked] = await lab.waitForActions(last);
  expect(asked).toMatchObject({ target: 'lab:wipe', arguments: wipe('lab').arguments });
  await lab.decide(asked?.id ?? '', { decision: 'reject' });
  await lab.waitForOutcome(last);
});
