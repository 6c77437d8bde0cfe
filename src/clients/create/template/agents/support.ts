import { defineAgent } from 'holdfast/agents';
import { orderStatus } from '../functions/order-status.ts';

export const support = defineAgent({
  name: 'Support',
  // A few fixed rules, so that no account is needed. README.md says how to use a real model.
  model: 'demo',
  instructions: 'You answer questions of customers about their orders. Look up an order before you answer.',
  tools: [orderStatus],
});
