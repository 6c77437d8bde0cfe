import { expect, test } from 'vitest';
import { rankToolOffers, type ToolOffer } from '../../../../src/modules/agents/tools/rank-tool-offers.ts';

function offer(name: string, description: string, connectionName = 'Tools'): ToolOffer {
  const tool = { name, description, inputSchema: {}, executeRef: name };
  return { tool, connectionId: connectionName, connectionName, provider: 'mcp' };
}

const offers = [
  offer('slack_sendMessage', 'Sends a message to a channel.', 'Slack'),
  offer('create_invoice', 'Makes an invoice for a customer.'),
  offer('list_invoices', 'Lists the invoices of a customer.'),
  offer('rotate_image', 'Turns a picture.'),
];

function namesFor(instructions: string, name = 'Helper', limit = 10): string[] {
  return rankToolOffers({ agent: { name, instructions }, offers, limit }).map(({ tool }) => tool.name);
}

test('tools that share words with the instructions are recommended, other tools are not', () => {
  expect(namesFor('Create invoices for each customer.')).toEqual(['create_invoice', 'list_invoices']);
});

test('words in the names of the agent and the connection count as matches', () => {
  expect(namesFor('', 'Slack helper')).toEqual(['slack_sendMessage']);
});

test('stop words of instructions do not count as matches', () => {
  expect(namesFor('You are an assistant. Use the tools that you have to answer the user.')).toEqual([]);
});

test('special characters in instructions do not change the search', () => {
  expect(namesFor('"(((" * AND invoice:: ~~ \\ <b>')).toEqual(['create_invoice', 'list_invoices']);
});

test('the reason of a recommendation names the words that matched', () => {
  const agent = { name: 'Billing', instructions: 'Create an invoice for the customer.' };
  const [best] = rankToolOffers({ agent, offers, limit: 1 });
  expect(best?.reason).toBe('The agent\'s name and instructions speak of "create", "invoice", "customer".');
  expect(best?.score).toBeGreaterThan(0);
});

test('a thousand tools are ranked against long instructions in a short time', () => {
  const many = Array.from({ length: 1000 }, (_, index) =>
    offer(`tool_${index}`, `Does thing ${index} with topic${index}.`),
  );
  const instructions = Array.from({ length: 5000 }, (_, index) => `topic${index}`).join(' ');
  const found = rankToolOffers({ agent: { name: '', instructions }, offers: many, limit: 5 });
  expect(found).toHaveLength(5);
});
