import { defineAgent, functionTool, knowledgeBaseTool, mcpTool } from 'holdfast/agents';
import { orderStatus, refund } from '../functions/shop.ts';
import { handbook, warehouse } from '../names.ts';

export const support = defineAgent({
  name: 'Support',
  // A few fixed rules, so that no account is needed; 'anthropic/claude-haiku-4-5' is a real one.
  model: 'demo',
  instructions: `You help customers of a shop with their orders.
Search the handbook before you promise anything, and look an order up before you pay it back.`,
  tools: [
    orderStatus,
    functionTool(refund, {
      approvalWhen: { properties: { euros: { exclusiveMinimum: 50 } } },
      settings: { approvers: ['finance'], selfApproval: false, settleAfterMs: 60_000 },
    }),
    mcpTool({ connection: warehouse, tool: 'stock', effect: 'read_only' }),
    knowledgeBaseTool({ name: 'handbook', knowledgeBase: handbook }),
    functionTool('calculate'),
    functionTool('ask_user'),
  ],
  rules: { toolPolicies: { refund: { maxCallsPerTurn: 2 } } },
  limits: { maxIterations: 8 },
});
