import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createGuardedFetch } from '../../../../src/platform/egress/guarded-fetch.ts';
import { functionTool } from '../../../../src/engines/tools/function-tool.ts';
import { defineCoreFunction } from '../../../../src/engines/tools/functions/define-core-function.ts';
import { createFunctionRegistry } from '../../../../src/engines/tools/functions/function-registry.ts';
import { getToolService, type ToolServices } from '../../../../src/engines/tools/tool-services.ts';
import { createFunctionRun } from '../../../labs/tool-run.ts';

declare module '../../../../src/engines/tools/tool-services.ts' {
  interface ToolServices {
    /** Of this test. */
    testLedger?: { charge: (account: string) => string };
  }
}

const charge = defineCoreFunction({
  name: 'charge',
  description: 'Charges an account.',
  input: z.object({ account: z.string().min(2).describe('The account'), times: z.int().default(1) }),
  effect: 'keyed',
  run: ({ account, times }, { services, idempotencyKey }) => {
    const receipt = getToolService(services, 'testLedger').charge(account);
    return { status: 'succeeded', text: `${receipt} x${times} ${idempotencyKey}`, creditsUsed: '12' };
  },
});

const fetch = createGuardedFetch();
afterAll(() => fetch.close());

async function run(input: Record<string, string | number>, services: Partial<ToolServices>) {
  const functions = createFunctionRegistry({ own: [charge] });
  const { run: call } = createFunctionRun('charge', input);
  return functionTool.run(call, { functions, fetch, now: () => new Date(), services });
}

test('a core function gets its checked input and the services of the program', async () => {
  const services = { testLedger: { charge: (account: string) => `charged ${account}` } };
  expect(await run({ account: 'a-1' }, services)).toEqual({
    status: 'succeeded',
    text: 'charged a-1 x1 key-1',
    creditsUsed: '12',
  });
  expect(await run({ account: 'a' }, services)).toMatchObject({
    status: 'failed',
    error: { code: 'INVALID_TOOL_ARGUMENTS', details: [{ field: 'account' }] },
  });
});

test('a core function whose service is missing is not configured', async () => {
  await expect(run({ account: 'a-1' }, {})).rejects.toMatchObject({ code: 'TOOL_NOT_CONFIGURED' });
});

test('models are shown the arguments as JSON Schema', () => {
  expect(charge.schema).toEqual({
    type: 'object',
    properties: {
      account: { type: 'string', minLength: 2, description: 'The account' },
      times: expect.objectContaining({ type: 'integer', default: 1 }) as object,
    },
    required: ['account'],
    additionalProperties: false,
  });
});
