import { defineFunction, z } from 'holdfast/functions';
import { findOrder, payBack } from '../shop.ts';

const order = z.string().describe('The number of the order, such as A-17');

export const orderStatus = defineFunction({
  name: 'order_status',
  description: 'Looks up an order: what was bought, for how much, and where it is.',
  input: z.object({ order }),
  effect: 'read_only',
  run: ({ input }) => findOrder(input.order),
});

/** The key of a call is the same for all its attempts, so that a crash in the middle pays nothing twice. */
export const refund = defineFunction({
  name: 'refund',
  description: 'Pays an order back, as a whole or in part.',
  input: z.object({ order, euros: z.number().positive() }),
  effect: 'keyed',
  run: ({ input, idempotencyKey }) => payBack({ ...input, key: idempotencyKey }),
});
