import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createHoldfastClient } from '../../../src/clients/client/index.ts';
import { createTemporalTurns } from '../../../src/clients/temporal-client/index.ts';
import { executionModes, type Agent } from '../../../src/domain/agent.ts';
import { loadConfig } from '../../../src/main/config.ts';
import { createLogger } from '../../../src/main/logger.ts';
import { connectTemporal } from '../../../src/platform/temporal/connect-temporal.ts';
import { createDataConverter } from '../../../src/platform/temporal/data-converter.ts';
import { createTurnEngine } from '../../../src/modules/turns/turn-engine.ts';
import { createWorker } from '../../../src/main/create-worker.ts';
import { findSecret } from '../../labs/find-secret.ts';
import { eventually } from '../../labs/eventually.ts';
import { fetchTurnHistory, readHistoryTexts } from '../../labs/histories.ts';
import { startLabApi, type LabApi } from '../../labs/lab-api.ts';
import { calculate, mcpTool } from '../../labs/lab-tools.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';
import { exportHistory, isSealed, listPayloads, mark, type JsonPayload } from './history-payloads.ts';
import { temporalAddress } from '../../labs/temporal.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { withoutPlaces } from '../../labs/turn-grounds.ts';
import type { LabScene } from '../../labs/turn-lab-scene.ts';
import { startLocalWorker } from '../../labs/turn-lab-worker.ts';

/** No worker has a place for a `direct` turn, so that each turn has a workflow from its beginning. */
const encrypted = { HOLDFAST_ENCRYPT_PAYLOADS: 'true', ...withoutPlaces };
const ui = 'http://127.0.0.1:8233';

let server: ScriptedServer;
/** The task queue of the worker with encryption. */
let lab: TurnLab;
let api: LabApi;
/** The task queue on which each test starts its own workers. */
let idleLab: TurnLab;

beforeAll(async () => {
  server = await startScriptedServer({
    report: ({ arguments: { note } }) => textResult(`Noted: ${String(note)}`),
    refuse: ({ arguments: { note } }) => ({ ...textResult(`Refused: ${String(note)}`), isError: true }),
  });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } }, environment: encrypted });
  idleLab = await startTurnLab({ worker: false });
  api = await startLabApi(lab, { HOLDFAST_CODEC_ORIGINS: ui });
});

afterAll(async () => {
  await api.stop();
  await Promise.all([lab.close(), idleLab.close()]);
  await server.close();
});

/** Returns the output of a command of the Temporal CLI. */
async function runTemporal(commandArguments: string[]): Promise<string> {
  const { PATH, HOME } = process.env;
  const { stdout } = await promisify(execFile)(inject('temporalBinary'), commandArguments, {
    env: { PATH, HOME },
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}

/** Returns the payloads of a history as the Web UI shows them. */
async function decodeInBrowser(payloads: JsonPayload[], origin = ui) {
  const response = await fetch(`${api.url}/api/temporal/codec/decode`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json', origin },
    body: JSON.stringify({ payloads }),
  });
  const answer = (await response.json()) as { payloads?: JsonPayload[] };
  const texts = answer.payloads?.map(({ data = '' }) => Buffer.from(data, 'base64').toString());
  return { status: response.status, text: texts?.join('\n') ?? '' };
}

/** A turn that calls three tools, one of which refuses, after a model that was away at first. */
async function runTurn(scene: LabScene) {
  const marks = { message: mark('message'), argument: mark('argument'), failure: mark('failure') };
  const { message, argument, failure } = marks;
  scene.reply(
    { status: 503, body: { error: { message: failure } }, headers: { 'retry-after': '0' } },
    {
      toolCalls: [
        { name: 'report', arguments: { note: argument } },
        { name: 'refuse', arguments: { note: argument } },
        { name: 'calculate', arguments: { expression: '6 * 7' } },
      ],
    },
    { text: `The answer is ${marks.message}.` },
  );
  const turn = await lab.waitForOutcome(await scene.say(`${message} ${'長'.repeat(200)}`));
  return { turn, marks };
}

/** The history of a `direct` turn that has a workflow has one activity, of `inspectable` execution one for each step. */
const leastPayloads = { inspectable: 10, direct: 5 };

describe.each(executionModes)('a turn in %s execution with encryption', (execution) => {
  test('runs as without it, and its history is unreadable without the key', async () => {
    const tools = [mcpTool('report'), mcpTool('refuse'), calculate];
    const scene = await lab.scene({ execution, tools });
    const { turn, marks } = await runTurn(scene);
    expect(turn).toMatchObject({ outcome: 'completed', answer: `The answer is ${marks.message}.` });
    expect(turn.toolCalls.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'succeeded']);

    const json = await exportHistory(lab, `turn-${turn.id}`);
    const texts = readHistoryTexts(await fetchTurnHistory(lab, turn.id)).join('\n');
    for (const secret of [marks.message, marks.argument, '6 * 7', scene.agent.model, '長長'])
      expect(findSecret(secret, { json, texts })).toEqual([]);
    const payloads = listPayloads(json);
    expect(payloads.length).toBeGreaterThan(leastPayloads[execution]);
    const plain = payloads.filter((payload) => !isSealed(payload));
    // The SDK's own record of a patch.
    expect(
      plain.map(({ data = '' }) => JSON.parse(Buffer.from(data, 'base64').toString()) as object),
    ).toEqual(execution === 'direct' ? [{ id: 'no-local-part', deprecated: false }] : []);

    const decoded = await decodeInBrowser(payloads);
    expect(decoded.status).toBe(200);
    for (const secret of [marks.message, marks.argument, 'calculate 6 * 7', '長長'])
      expect(decoded.text).toContain(secret);
    expect(await decodeInBrowser(payloads, 'http://127.0.0.1:9999')).toEqual({ status: 403, text: '' });
  });

  test('encrypts the messages of failures', async () => {
    const scene = await lab.scene({ execution });
    const failure = mark('failure');
    scene.reply({ status: 400, body: { error: { message: failure } } });
    const turn = await lab.waitForOutcome(await scene.say('Hello?'));
    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'MODEL_REJECTED_REQUEST' } });
    expect(turn.error?.message).toContain(failure);

    const json = await exportHistory(lab, `turn-${turn.id}`);
    expect(findSecret(failure, { json })).toEqual([]);
    expect(json).toContain('Encoded failure');
    expect(json).toContain('MODEL_REJECTED_REQUEST');
    expect((await decodeInBrowser(listPayloads(json))).text).toContain(failure);
  });

  test('shows its progress and details to a client that has the keys', async () => {
    const scene = await lab.scene({ execution });
    scene.reply({ text: 'Here.' });
    const turn = await lab.waitForOutcome(await scene.say('Where?'));
    const handle = lab.client.workflow.getHandle(`turn-${turn.id}`);
    expect(await handle.query('turnProgress')).toEqual({ iteration: 1, step: 'settled' });
    const { currentDetails } = await handle.query<{ currentDetails?: string }>(
      '__temporal_workflow_metadata',
    );
    expect(currentDetails).toContain('**Where?**');
    expect(await (await handle.describe()).staticSummary()).toBe('Where?');
  });
});

test('the API runs turns with encryption as without', async () => {
  const { agent } = await api.ask<{ agent: Agent }>('POST', '/api/agents', {
    name: 'Calculator',
    model: 'demo',
    instructions: 'Calculate.',
    tools: [calculate],
  });
  const turn = await api.say(agent.id, 'What is 12 * 12?');
  expect(turn).toMatchObject({ outcome: 'completed', toolCalls: [{ status: 'succeeded' }] });
  expect(turn.answer).toContain('144');
});

test('the Temporal CLI shows the content of an encrypted turn only through the codec endpoint', async () => {
  const scene = await lab.scene();
  const message = mark('message');
  scene.reply({ text: 'Here.' });
  const turn = await lab.waitForOutcome(await scene.say(message));
  const show = ['workflow', 'show', '--output', 'json', '--workflow-id', `turn-${turn.id}`];
  const codec = ['--codec-endpoint', `${api.url}/api/temporal/codec`, '--codec-auth', `Bearer ${api.key}`];
  const address = ['--address', temporalAddress()];
  const [decoded, sealed] = await Promise.all([
    runTemporal([...show, ...address, ...codec]),
    runTemporal([...show, ...address]),
  ]);
  expect(findSecret(message, { decoded })).not.toEqual([]);
  expect(findSecret(message, { sealed })).toEqual([]);
  expect(sealed).toContain(turn.id);
});

test('search attributes of encrypted turns can be searched', async () => {
  const scene = await lab.scene({ limits: { maxIterations: 1 }, tools: [calculate] });
  scene.reply({ toolCalls: [{ name: 'calculate', arguments: { expression: '1' } }] }, { text: 'Here.' });
  await lab.waitForOutcome(await scene.say('Where?'));
  const query = `HoldfastConversation = '${scene.conversationId}' AND HoldfastOutcome = 'iteration_limit'`;
  const { count } = await eventually(
    () => lab.client.workflow.count(query),
    (found) => found.count > 0,
  );
  expect(count).toBe(1);
});

describe('a turn that a program starts with its own Temporal client', () => {
  test('is encrypted from its first event when the client has the data converter', async () => {
    const { client, workspaceId, taskQueue } = lab;
    const { turns } = createHoldfastClient({
      turns: createTemporalTurns({ client, workspaceId, taskQueue }),
    });
    const scene = await lab.scene();
    const message = mark('message');
    scene.reply({ text: `You said ${message}` });
    const { id } = await turns.start({ conversationId: scene.conversationId, message });
    expect(await turns.wait(id, { timeoutMs: 30_000 })).toMatchObject({ answer: `You said ${message}` });
    const json = await exportHistory(lab, `submission-${id}`);
    expect(findSecret(message, { json })).toEqual([]);
    expect(listPayloads(json).every(isSealed)).toBe(true);
  });

  test('runs when the client has no data converter, but the client cannot read the result', async () => {
    const { workspaceId, taskQueue } = lab;
    const client = new Client({ connection: lab.client.connection });
    const { turns } = createHoldfastClient({
      turns: createTemporalTurns({ client, workspaceId, taskQueue }),
    });
    const scene = await lab.scene();
    scene.reply({ text: 'Hello.' });
    const { id } = await turns.start({ conversationId: scene.conversationId, message: 'Hello?' });
    await expect(turns.wait(id, { timeoutMs: 30_000 })).rejects.toThrow(/binary\/encrypted/);
    expect(await lab.readTurn(id)).toMatchObject({ outcome: 'completed', answer: 'Hello.' });
  });
});

/** Starts a turn by a client that encrypts, in the laboratory whose own client does not. */
async function startSealed(scene: LabScene, message: string): Promise<string> {
  const { turnId, start } = await scene.submit(message);
  const environment = { ...idleLab.environment, ...encrypted };
  const { client, connection } = connectTemporal(environment, createDataConverter(loadConfig(environment)));
  if (start) await createTurnEngine({ client, taskQueue: idleLab.taskQueue }).startTurn(start);
  await connection.close();
  return turnId;
}

describe('a worker with encrypted turns', () => {
  test('does not start without a key when encryption is on, and says how to set one', async () => {
    const config = loadConfig({ ...idleLab.environment, ...encrypted, HOLDFAST_ENCRYPTION_KEYS: '' });
    const logger = createLogger(config, 'worker');
    await expect(createWorker({ config, databaseUrl: idleLab.databaseUrl, logger })).rejects.toMatchObject({
      code: 'SECRETS_UNAVAILABLE',
      message: expect.stringMatching(
        /HOLDFAST_ENCRYPT_PAYLOADS is true.*Set HOLDFAST_ENCRYPTION_KEYS/,
      ) as string,
    });
  });

  test('names the missing key of a turn and leaves the turn to other workers', async () => {
    const scene = await idleLab.scene({ tools: [calculate] });
    scene.reply({ toolCalls: [{ name: 'calculate', arguments: { expression: '1 + 1' } }] }, { text: 'Two.' });
    const turnId = await startSealed(scene, 'One and one?');
    const keyless = await startLocalWorker({
      ...idleLab.environment,
      HOLDFAST_ENCRYPTION_KEYS: `other:${randomBytes(32).toString('base64')}`,
    });
    const failed = await eventually(
      async () => readHistoryTexts(await fetchTurnHistory(idleLab, turnId)),
      (texts) => texts.some((text) => text.includes('cannot be decrypted')),
    );
    await keyless.stop();
    expect(failed.join('\n')).toContain('the encryption key lab is missing; add it to the keys again');

    const worker = await startLocalWorker({ ...idleLab.environment, ...encrypted });
    expect(await idleLab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed', answer: 'Two.' });
    await worker.stop();
  });
});
