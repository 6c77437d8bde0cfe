import { expect, test } from 'vitest';
import { rankToolOffers, type ToolOffer } from '../../src/agents/rank-tool-offers.ts';

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

test('tools that share words with the instructions come, the others do not', () => {
  expect(namesFor('Create invoices for each customer.')).toEqual(['create_invoice', 'list_invoices']);
});

test('the name of the agent and of the connection count too', () => {
  expect(namesFor('', 'Slack helper')).toEqual(['slack_sendMessage']);
});

test('words that every instruction has count for nothing', () => {
  expect(namesFor('You are an assistant. Use the tools that you have to answer the user.')).toEqual([]);
});

test('instructions are searched for words only, whatever signs they have', () => {
  expect(namesFor('"(((" * AND invoice:: ~~ \\ <b>')).toEqual(['create_invoice', 'list_invoices']);
});

test('the reason names the words that matched', () => {
  const agent = { name: 'Billing', instructions: 'Create an invoice for the customer.' };
  const [best] = rankToolOffers({ agent, offers, limit: 1 });
  expect(best?.reason).toBe('The agent\'s name and instructions speak of "create", "invoice", "customer".');
  expect(best?.score).toBeGreaterThan(0);
});

test('a thousand tools against long instructions are no matter', () => {
  const many = Array.from({ length: 1000 }, (_, index) =>
    offer(`tool_${index}`, `Does thing ${index} with topic${index}.`),
  );
  const instructions = Array.from({ length: 5000 }, (_, index) => `topic${index}`).join(' ');
  const found = rankToolOffers({ agent: { name: '', instructions }, offers: many, limit: 5 });
  expect(found).toHaveLength(5);
});
