import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ToolInput, ToolSettings } from '../../../src/domain/tool.ts';
import { toToolResponse } from '../../../src/domain/tool-response.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

const secret = `sk_live_${randomBytes(16).toString('hex')}`;
const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-functions-'));
let lab: TurnLab;

const source = `
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { defineFunction, OutcomeUnknownError, ToolFailure, z } from 'holdfast/functions';

const note = (text: string) => appendFileSync(new URL('notes.txt', import.meta.url), text + '\\n');

export const orderTea = defineFunction({
  name: 'order_tea',
  description: 'Orders tea.',
  input: z.object({ cups: z.int().min(1).max(9), kind: z.string().default('green') }),
  secrets: ['SHOP_KEY'],
  run: ({ input, secrets, idempotencyKey, conversationId }) => ({
    ...input,
    conversationId,
    keyed: idempotencyKey.length,
    authorization: 'Basic ' + Buffer.from('shop:' + secrets.SHOP_KEY).toString('base64'),
    plain: secrets.SHOP_KEY,
  }),
});

export const unpaid = defineFunction({
  name: 'unpaid',
  description: 'Needs a key that nobody set.',
  input: z.object({}),
  secrets: ['NEVER_SET'],
  run: () => 'ran',
});

export const refund = defineFunction({
  name: 'refund',
  description: 'Pays back.',
  input: z.object({ how: z.enum(['refused', 'broken', 'unknown']) }),
  run: ({ input, idempotencyKey }) => {
    note('refund ' + idempotencyKey);
    if (input.how === 'unknown') throw new OutcomeUnknownError('The bank hung up.');
    if (input.how === 'refused') throw new ToolFailure('The bank said no.');
    throw new Error('The bank is a stub.');
  },
});

export const waiting = defineFunction({
  name: 'waiting',
  description: 'Waits for its signal.',
  input: z.object({}),
  run: async ({ signal }) => {
    note('waiting started');
    await setTimeout(60_000, undefined, { signal }).catch(() => note('waiting was told'));
    return 'never';
  },
});

export const deaf = defineFunction({
  name: 'deaf',
  description: 'Takes no notice of its signal.',
  input: z.object({}),
  timeoutMs: 300,
  run: () => new Promise(() => note('deaf started')),
});
`;

beforeAll(async () => {
  writeFileSync(path.join(folder, 'shop.ts'), source);
  writeFileSync(path.join(folder, 'notes.txt'), '');
  const environment = { HOLDFAST_FUNCTIONS: folder, HOLDFAST_SECRET_SHOP_KEY: secret };
  lab = await startTurnLab({ worker: false, environment });
  // A process of its own: a test runner would import the files in its own way.
  await lab.startWorkerProcess();
});

afterAll(async () => {
  await lab.close();
  rmSync(folder, { recursive: true, force: true });
});

function tool(name: string, settings?: ToolSettings): ToolInput {
  const schema = { type: 'object', properties: {} };
  return {
    ...{ type: 'function', name, description: '', schema, config: {} },
    ...(settings ? { settings } : {}),
  };
}

async function callOnce(used: ToolInput, input: JsonObject = {}) {
  const scene = await lab.scene({ tools: [used] });
  scene.reply({ toolCalls: [{ name: used.name, arguments: input }] }, { text: 'Understood.' });
  const turn = await lab.waitForOutcome(await scene.say('Go.'));
  expect(turn).toMatchObject({ outcome: 'completed', answer: 'Understood.' });
  const told = scene.requests()[1]?.body.messages.at(-1)?.content ?? '';
  const [call] = turn.toolCalls;
  return { call, told, scene, turn };
}

function readNotes(): string[] {
  return readFileSync(path.join(folder, 'notes.txt'), 'utf8').trim().split('\n');
}

describe('a function from a folder', () => {
  test('runs in a turn with defaults, its key and its secret, which appears nowhere else', async () => {
    const { call, told, scene, turn } = await callOnce(tool('order_tea'), { cups: 2 });
    expect(call).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(JSON.parse(told)).toMatchObject({
      ...{ cups: 2, kind: 'green', conversationId: scene.conversationId, keyed: 64, plain: '[redacted]' },
    });
    const everything = JSON.stringify([await lab.readLedger(turn.id), told]);
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(Buffer.from(`shop:${secret}`).toString('base64').slice(8, -4));
  });

  test('reports each invalid field of its arguments to the model', async () => {
    const { call, told } = await callOnce(tool('order_tea'), { cups: 20 });
    expect(call).toMatchObject({ status: 'failed', error: { code: 'INVALID_TOOL_ARGUMENTS' } });
    expect(told).toContain('"field":"cups"');
  });

  test('names a missing variable', async () => {
    const { told } = await callOnce(tool('unpaid'));
    expect(told).toContain('TOOL_NOT_CONFIGURED');
    expect(told).toContain('HOLDFAST_SECRET_NEVER_SET');
  });
});

describe('a function that fails', () => {
  test('has said no when it throws a ToolFailure', async () => {
    const { call, told } = await callOnce(tool('refund'), { how: 'refused' });
    expect(call).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'TOOL_FAILED' } });
    expect(told).toBe('TOOL_FAILED: The bank said no.');
    const message = 'The bank said no.';
    expect(call && toToolResponse(call, '0')).toEqual({
      ...{ isError: true, content: [{ type: 'text', text: message }], creditsUsed: '0' },
      error: { code: 'TOOL_EXECUTION_FAILED', message, creditsUsed: '0' },
    });
  });

  test('has broken when it throws another error, and the message names the tool', async () => {
    const { call, told } = await callOnce(tool('refund'), { how: 'broken' });
    const message = 'Exception for tool "refund": The bank is a stub.';
    expect(told).toBe(`TOOL_RUNNER_EXCEPTION: ${message}`);
    expect(call).toMatchObject({ status: 'failed', attempts: 1 });
    expect(call && toToolResponse(call, '0')?.error).toEqual({
      ...{ code: 'TOOL_RUNNER_EXCEPTION', message, creditsUsed: '0' },
    });
  });

  test('needs a swarm when it is one of swarms', async () => {
    const { call } = await callOnce({ ...tool('end_swarm') }, { mode: 'graceful' });
    expect(call && toToolResponse(call, '0')).toMatchObject({
      isError: true,
      error: { code: 'CONVERSATION_STATE_NOT_FOUND', creditsUsed: '0' },
    });
  });

  test('is reported as unknown and not repeated when it throws that its outcome is unknown', async () => {
    const before = readNotes().length;
    const { call, told } = await callOnce(tool('refund'), { how: 'unknown' });
    expect(call).toMatchObject({ status: 'unknown', attempts: 1 });
    expect(told).toContain('The bank hung up.');
    expect(readNotes()).toHaveLength(before + 1);
  });

  test('runs again with the same key when the operator marks it as repeatable', async () => {
    const before = readNotes().length;
    const { call } = await callOnce(tool('refund', { effect: 'keyed' }), { how: 'unknown' });
    expect(call?.status).toBe('unknown');
    const attempts = readNotes().slice(before);
    expect(attempts.length).toBeGreaterThan(1);
    expect(new Set(attempts).size).toBe(1);
  });
});

describe('a function that takes too long', () => {
  test.each([
    ['unsafe', 'unknown', 'TOOL_OUTCOME_UNKNOWN'],
    ['read_only', 'failed', 'TOOL_TIMED_OUT'],
  ] as const)('does not block the turn, and when %s ends as %s', async (effect, status, code) => {
    const { call } = await callOnce(tool('deaf', { effect }));
    expect(call).toMatchObject({ status, error: { code } });
  });

  test('gets an abort signal when the turn is cancelled', async () => {
    const scene = await lab.scene({ tools: [tool('waiting')] });
    scene.reply({ toolCalls: [{ name: 'waiting', arguments: {} }] });
    const turnId = await scene.say('Wait.');
    await expect.poll(readNotes, { timeout: 10_000 }).toContain('waiting started');
    await lab.cancelTurn(turnId);
    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'cancelled' });
    await expect.poll(readNotes, { timeout: 10_000 }).toContain('waiting was told');
  });
});
