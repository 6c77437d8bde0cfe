import { expect, test } from 'vitest';
import {
  defineFunction,
  isFunctionDefinition,
  type FunctionCall,
} from '../../../src/engines/functions/define-function.ts';
import { z } from '../../../src/engines/functions/index.ts';

function callWith(input: FunctionCall['input']): FunctionCall {
  return {
    input,
    signal: new AbortController().signal,
    secrets: {},
    idempotencyKey: 'key-1',
    workspaceId: 'workspace-1',
    conversationId: 'conversation-1',
    turnId: 'turn-1',
    onProgress: () => undefined,
  };
}

const order = defineFunction({
  name: 'order',
  description: 'Orders something.',
  input: z.object({
    item: z.string().trim().min(2),
    count: z.int().min(1).default(1),
    when: z.iso.date().transform((text) => new Date(text)),
    options: z.object({ gift: z.boolean() }).optional(),
  }),
  run: ({ input }) => `${input.count} ${input.item} on ${input.when.toUTCString()}`,
});

test('describes its input as closed JSON Schema, as it is before defaults and transforms', () => {
  expect(order.schema).toMatchObject({
    type: 'object',
    properties: {
      item: { type: 'string', minLength: 2 },
      count: { type: 'integer', minimum: 1, default: 1 },
      when: { type: 'string', format: 'date' },
      options: { type: 'object', additionalProperties: false },
    },
    required: ['item', 'when'],
    additionalProperties: false,
  });
  expect(order.schema).not.toHaveProperty('$schema');
});

test('keeps an object open when its schema allows additional properties', () => {
  const open = defineFunction({
    name: 'open',
    description: 'Takes anything.',
    input: z.looseObject({}),
    run: () => '',
  });
  expect(open.schema.additionalProperties).not.toBe(false);
});

test('runs with the defaults and transforms of its input', async () => {
  expect(await order.call(callWith({ item: '  tea ', when: '2026-11-22' }))).toEqual({
    ran: true,
    value: '1 tea on Sun, 22 Nov 2026 00:00:00 GMT',
  });
});

test('names every invalid field and does not run', async () => {
  const answer = await order.call(callWith({ item: ' x ', when: '2026-11-22', options: { gift: 'yes' } }));
  expect(answer).toMatchObject({ ran: false, fields: [{ field: 'item' }, { field: 'options.gift' }] });
});

test('is unsafe and has no secrets by default', () => {
  expect(order).toMatchObject({ effect: 'unsafe', secrets: [], timeoutMs: undefined });
  expect(isFunctionDefinition(order)).toBe(true);
  expect(isFunctionDefinition({ ...order.schema })).toBe(false);
  expect(isFunctionDefinition(null)).toBe(false);
});

test.each([
  [{ name: 'two words' }, '"two words"'],
  [{ description: '' }, 'description'],
  [{ timeoutMs: 0 }, 'timeoutMs'],
  [{ secrets: ['stripe-key'] }, 'STRIPE_KEY'],
  [{ effect: 'harmless' }, 'read_only'],
  [{ run: 'later' }, 'expected a function'],
  [{ input: { type: 'object' } }, 'expected z.object'],
  [{ input: z.string() }, 'expected z.object'],
  [{ input: z.object({ when: z.date() }) }, 'Date cannot be represented'],
])('refuses the definition %j with a reason', (wrong, reason) => {
  const right = { name: 'fine', description: 'Fine.', input: z.object({}), run: () => 'fine' };
  expect(() => defineFunction({ ...right, ...wrong } as typeof right)).toThrow(reason);
});
