import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/domain/json.ts';
import type { ToolRun } from '../../../../src/domain/tool.ts';
import { createGuardedFetch } from '../../../../src/platform/egress/guarded-fetch.ts';
import {
  defineFunction,
  type FunctionDefinition,
} from '../../../../src/engines/functions/define-function.ts';
import { OutcomeUnknownError, ToolFailure, z } from '../../../../src/engines/functions/index.ts';
import { createFunctionRegistry } from '../../../../src/engines/tools/functions/function-registry.ts';
import { functionTool } from '../../../../src/engines/tools/function-tool.ts';
import { toToolFunction } from '../../../../src/engines/tools/functions/own-function.ts';
import { checkToolSchema } from '../../../../src/engines/tools/json-schema/tool-arguments.ts';
import { containing } from '../../../labs/matchers.ts';
import { createFunctionRun } from '../../../labs/tool-run.ts';

const secret = `sk_live_${randomBytes(12).toString('hex')}`;
const fetch = createGuardedFetch();
const logged: object[] = [];

afterAll(() => fetch.close());

function createExecutor(definition: FunctionDefinition, secrets: Record<string, string> = {}) {
  const logger = { warn: (fields: object) => logged.push(fields) };
  const functions = createFunctionRegistry({ own: [toToolFunction(definition, { secrets, logger })] });
  return (run: ToolRun<'function'>) =>
    functionTool.run(run, { functions, fetch, now: () => new Date(), services: {} });
}

type Run = Parameters<typeof defineFunction>[0]['run'];

function define(run: Run, more: { timeoutMs?: number; secrets?: string[]; input?: z.ZodObject } = {}) {
  return defineFunction({ name: 'mine', description: 'Mine.', input: z.looseObject({}), run, ...more });
}

function call(definition: FunctionDefinition, input: JsonObject = {}, secrets?: Record<string, string>) {
  return createExecutor(definition, secrets)(createFunctionRun('mine', input).run);
}

describe('a function of the operator', () => {
  test.each([
    ['text', 'as it is', 'as it is'],
    ['an object', { total: 3, items: ['a'] }, '{"total":3,"items":["a"]}'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['nothing', undefined, ''],
  ])('may return %s', async (_what, value, text) => {
    expect(await call(define(() => value))).toEqual({ status: 'succeeded', text });
  });

  test('gets its arguments with defaults, and the ids of its caller', async () => {
    const input = z.object({ name: z.string(), count: z.int().default(2) });
    const definition = define(
      ({ input: given, workspaceId, conversationId, turnId, idempotencyKey, secrets }) => [
        given,
        { workspaceId, conversationId, turnId, idempotencyKey, secrets },
      ],
      { input },
    );
    const result = await call(definition, { name: 'tea' });
    const who = { workspaceId: 'workspace-1', conversationId: 'conversation-1', turnId: 'turn-1' };
    expect(JSON.parse('text' in result ? result.text : '')).toEqual([
      { name: 'tea', count: 2 },
      { ...who, idempotencyKey: 'key-1', secrets: {} },
    ]);
  });

  test('does not run when JSON Schema or zod refuses its arguments', async () => {
    const even = z.int().refine((value) => value % 2 === 0, 'expected an even number');
    const definition = define(() => 'ran', { input: z.object({ count: even }) });
    const error = { code: 'INVALID_TOOL_ARGUMENTS', details: [{ field: 'count' }] };
    expect(await call(definition, { count: 'x' })).toMatchObject({ status: 'failed', error });
    expect(await call(definition, { count: 1 })).toMatchObject({
      status: 'failed',
      error: { ...error, message: containing('count expected an even number') },
    });
    expect(await call(definition, { count: 2, colour: 'red' })).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_TOOL_ARGUMENTS', details: [{ field: 'colour', message: 'is not known' }] },
    });
  });

  test('reports its progress', async () => {
    const { run, progress } = createFunctionRun('mine');
    const definition = define(({ onProgress }) => {
      onProgress();
      onProgress({ done: 3 });
    });
    await createExecutor(definition)(run);
    expect(progress).toEqual([undefined, { done: 3 }]);
  });

  test('has a valid tool schema, whatever patterns its zod schema has', () => {
    const input = z.object({ code: z.string().regex(/^(?!0)\d+$/), plain: z.string().regex(/^\d+$/) });
    const { schema } = toToolFunction(
      define(() => '', { input }),
      { secrets: {}, logger: { warn: () => undefined } },
    );
    expect(checkToolSchema(schema)).toBeNull();
    expect(schema).toMatchObject({ properties: { code: { type: 'string' }, plain: { pattern: '^\\d+$' } } });
  });

  test('cannot have the name of a built-in function', () => {
    const definition = { ...define(() => ''), name: 'calculate' };
    expect(() => createExecutor(definition)).toThrow('"calculate", which is the name of a built-in one');
  });
});

describe('an error that a function throws', () => {
  test('is returned as an exception with its message, and its stack is only logged', async () => {
    const result = await call(define(() => Promise.reject(new RangeError('out of stock'))));
    const message = 'Exception for tool "mine": out of stock';
    expect(result).toEqual({ status: 'failed', error: { code: 'TOOL_RUNNER_EXCEPTION', message } });
    expect(logged.at(-1)).toMatchObject({ function: 'mine', stack: containing('own-function.test.ts') });
  });

  test('is a refusal when it is a ToolFailure, with details for the model', async () => {
    const refuse = () => {
      throw new ToolFailure('Not enough.', { details: { left: 2 } });
    };
    expect(await call(define(refuse))).toEqual({
      status: 'failed',
      error: { code: 'TOOL_FAILED', message: 'Not enough.', details: { left: 2 } },
    });
  });

  test('may say that the outcome of the call is unknown', async () => {
    const definition = define(() => {
      throw new OutcomeUnknownError('The bank hung up.');
    });
    await expect(call(definition)).rejects.toMatchObject({ sent: true, message: 'The bank hung up.' });
  });

  test('is an exception too when it returns a value that is not JSON', async () => {
    expect(await call(define(() => 3n))).toMatchObject({
      status: 'failed',
      error: {
        code: 'TOOL_RUNNER_EXCEPTION',
        message: containing('"mine": mine ran, but its answer is no JSON'),
      },
    });
  });
});

describe('the secrets of a function', () => {
  test('are given to it by name, and only those that it declares', async () => {
    const lengths = define(
      ({ secrets }) => Object.entries(secrets).map(([name, { length }]) => [name, length]),
      {
        secrets: ['KEY'],
      },
    );
    const result = await call(lengths, {}, { KEY: secret, OTHER: 'x' });
    expect(result).toEqual({ status: 'succeeded', text: JSON.stringify([['KEY', secret.length]]) });
  });

  test('fail the call with the name of the variable when one is missing', async () => {
    const definition = define(() => 'ran', { secrets: ['STRIPE_KEY', 'OTHER'] });
    expect(await call(definition, {}, { OTHER: 'there' })).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_NOT_CONFIGURED', message: containing('set HOLDFAST_SECRET_STRIPE_KEY in') },
    });
  });

  test.each(['text', 'json', 'error', 'details', 'unknown', 'progress'])(
    'are redacted in its %s',
    async (where) => {
      const encoded = Buffer.from(`user:${secret}`).toString('base64');
      const leak = `key ${secret} or ${encoded}`;
      const { run, progress } = createFunctionRun('mine');
      const definition = define(
        ({ onProgress }) => {
          onProgress({ leak });
          if (where === 'error') throw new Error(leak);
          if (where === 'details') throw new ToolFailure('no', { details: { [secret]: leak } });
          if (where === 'unknown') throw new OutcomeUnknownError(leak);
          return where === 'json' ? { leak } : leak;
        },
        { secrets: ['KEY'] },
      );
      const seen = await createExecutor(definition, { KEY: secret })(run).catch((error: unknown) =>
        String(error),
      );
      const everything = JSON.stringify([seen, progress, logged]);
      expect(everything).toContain('[redacted]');
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(Buffer.from(secret).toString('base64').slice(4, 20));
    },
  );
});

describe('the time limit of a function', () => {
  test('aborts its signal and ends the call', async () => {
    const ends: unknown[] = [];
    const patient = define(
      async ({ signal }) => {
        await setTimeout(60_000, undefined, { signal }).catch(() => ends.push(signal.aborted));
        return 'late';
      },
      { timeoutMs: 20 },
    );
    await expect(call(patient)).rejects.toMatchObject({ code: 'TOOL_TIMED_OUT', sent: true });
    expect(ends).toEqual([true]);
  });

  test('ends the call also when the function ignores its signal', async () => {
    const deaf = define(() => new Promise<never>(() => undefined), { timeoutMs: 20 });
    await expect(call(deaf)).rejects.toThrow('mine did not answer within 20 ms.');
  });

  test('is that of the tool when the operator sets one', async () => {
    const slow = define(() => setTimeout(60, 'done'), { timeoutMs: 10 });
    const { run } = createFunctionRun(
      'mine',
      {},
      { tool: { settings: { timeoutMs: 5_000 } }, timeoutMs: 5_000 },
    );
    expect(await createExecutor(slow)(run)).toEqual({ status: 'succeeded', text: 'done' });
  });

  test('ends with the turn', async () => {
    const controller = new AbortController();
    const reason = new Error('the turn stopped');
    const deaf = define(() => {
      controller.abort(reason);
      return new Promise<never>(() => undefined);
    });
    const { run } = createFunctionRun('mine', {}, { signal: controller.signal });
    await expect(createExecutor(deaf)(run)).rejects.toBe(reason);
  });
});

test('a ToolFailure whose details are not JSON is returned without them', async () => {
  const details: Record<string, unknown> = { amount: 3 };
  details.self = details;
  const definition = define(() => {
    throw new ToolFailure('Too much.', { details: details as JsonObject });
  });
  expect(await call(definition)).toEqual({
    status: 'failed',
    error: { code: 'TOOL_FAILED', message: 'Too much.' },
  });
});

describe('a function whose own request failed', () => {
  const brokenSocket = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });

  test.each([
    ['in the midst', new TypeError('fetch failed', { cause: brokenSocket })],
    ['without an answer in time', new DOMException('The operation timed out.', 'TimeoutError')],
    [
      'in the way of older clients',
      Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
    ],
  ])('%s has an unknown outcome', async (_what, error) => {
    const definition = define(() => Promise.reject(error));
    await expect(call(definition)).rejects.toMatchObject({ code: 'TOOL_UNAVAILABLE', sent: true });
  });

  test('before it was sent has failed', async () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    });
    const definition = define(() => Promise.reject(new TypeError('fetch failed', { cause })));
    expect(await call(definition)).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_RUNNER_EXCEPTION' },
    });
  });
});
