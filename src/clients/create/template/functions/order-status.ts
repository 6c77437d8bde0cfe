import { defineFunction, z } from 'holdfast/functions';

// Replace this by your database or the API of your shop.
const orders = new Map([
  ['A-17', 'shipped'],
  ['A-18', 'in production'],
]);

export const orderStatus = defineFunction({
  name: 'order_status',
  description: 'Looks up the status of an order by its number, such as A-17.',
  input: z.object({ order: z.string() }),
  effect: 'read_only',
  run: ({ input }) => ({ order: input.order, status: orders.get(input.order) ?? 'unknown' }),
});
