import { z } from 'zod';
import { defineProvider } from '../../src/providers/define-provider.ts';

/** A provider of the tests alone, with an operation of each kind. */
export const shop = defineProvider({
  name: 'shop',
  title: 'Shop',
  description: 'Sells things for tests.',
  category: 'payments',
  baseUrl: 'https://shop.example',
  auth: { types: ['bearer'] },
  verify: { request: 'GET /me' },
  rateLimit: { tokensPerMinute: 30 },
  readError: ({ status, body }) =>
    status < 400 ? null : ((body as { message?: string } | null)?.message ?? null),
  operations: {
    getThing: {
      description: 'Get a thing.',
      input: z.strictObject({ id: z.string() }),
      request: 'GET /things/{id}',
      effect: 'read_only',
      rateLimit: { tokensPerMinute: 10, tokensPerRequest: 2 },
    },
    readFile: {
      description: 'Read a file.',
      input: z.strictObject({ path: z.string() }),
      request: 'GET /files/{+path}',
      effect: 'read_only',
    },
    buy: {
      description: 'Buy something.',
      input: z.strictObject({ what: z.strictObject({ sku: z.string(), count: z.int().min(1) }) }),
      request: 'POST /orders',
      effect: 'keyed',
      idempotencyHeader: 'Idempotency-Key',
    },
    ship: {
      description: 'Ship an order.',
      input: z.strictObject({}),
      request: 'POST /shipments',
      effect: 'unsafe',
    },
  },
});
