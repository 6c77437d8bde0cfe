import { beforeAll, expect, it } from 'vitest';
import { createHoldfastClient, type HoldfastClient } from '../../../src/clients/client/index.ts';
import { conversationFor } from '../../../src/clients/handlers/index.ts';
import { plainAgent, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { quickRetry } from '../../servers/scripted-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

/** A client that counts its requests for the list of agents; `answer` may take the place of an answer. */
function createCounted(answer: (response: Response) => Response = (response) => response) {
  const counted = { lists: 0 };
  const holdfast = createHoldfastClient({
    ...{ baseUrl: api.url, apiKey: api.key, retry: quickRetry },
    fetch: async (...request: Parameters<typeof fetch>) => {
      const response = await fetch(...request);
      if (response.url.includes('/api/agents?')) counted.lists += 1;
      return answer(response);
    },
  });
  return { counted, holdfast };
}

function createAgent(holdfast: HoldfastClient, name: string) {
  return holdfast.agents.create({ ...plainAgent, name });
}

it('makes one conversation for each agent and customer, also at the same time', async () => {
  const { counted, holdfast } = createCounted();
  const [agent, other] = [await createAgent(holdfast, 'Support'), await createAgent(holdfast, 'Sales')];
  const find = (name: string, customer: string) => conversationFor(holdfast, { agent: name, customer });
  const all = await Promise.all(Array.from({ length: 8 }, () => find('Support', 'customer-42')));
  expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  expect(all[0]).toMatchObject({ agentId: agent.id, externalId: 'customer-42' });
  expect(counted.lists).toBe(1);

  expect((await find(agent.id, 'customer-42')).id).toBe(all[0]?.id);
  const others = [await find('Support', 'customer-43'), await find('Sales', 'customer-42')];
  expect(new Set([...all, ...others].map(({ id }) => id)).size).toBe(3);
  expect(others[1]?.agentId).toBe(other.id);
});

it('looks the name up again when the agent is gone', async () => {
  const { counted, holdfast } = createCounted();
  const key = { agent: 'Moving', customer: 'customer-42' };
  const gone = await createAgent(holdfast, 'Moving');
  const before = await conversationFor(holdfast, key);
  await holdfast.agents.delete(gone.id);
  await expect(conversationFor(holdfast, key)).rejects.toThrow(/^No agent has the name "Moving"/);
  const { id } = await createAgent(holdfast, 'Moving');
  const after = await conversationFor(holdfast, key);
  expect([before.agentId, after.agentId]).toEqual([gone.id, id]);
  expect(counted.lists).toBe(3);
});

it('names what there is when no agent or several have the name', async () => {
  const { holdfast } = createCounted();
  await createAgent(holdfast, 'Helper');
  const [one, two] = [await createAgent(holdfast, 'Twin'), await createAgent(holdfast, 'Twin')];
  const find = (agent: string) => conversationFor(holdfast, { agent, customer: 'customer-42' });
  await expect(find('Nobody')).rejects.toThrow(/^No agent has the name "Nobody"\. There are .*"Helper"/);
  await expect(find('Twin')).rejects.toThrow(
    new RegExp(`^2 agents have the name "Twin": (${one.id}, ${two.id}|${two.id}, ${one.id})\\.`),
  );
  await expect(find('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('finds an agent on a later page', async () => {
  const { counted, holdfast } = createCounted();
  await createAgent(holdfast, 'First of all');
  await Promise.all(Array.from({ length: 101 }, (_, index) => createAgent(holdfast, `Agent ${index}`)));
  const found = await conversationFor(holdfast, { agent: 'First of all', customer: 'customer-42' });
  expect(found.externalId).toBe('customer-42');
  expect(counted.lists).toBeGreaterThan(1);
});

it('repeats itself when no answer comes, and makes one conversation', async () => {
  const lost = { answers: 0 };
  const { holdfast } = createCounted((response) => {
    if (!response.url.endsWith('/api/conversations') || lost.answers > 0) return response;
    lost.answers += 1;
    throw new Error('the answer was lost');
  });
  const { id: agent } = await createAgent(holdfast, 'Repeated');
  const { id } = await conversationFor(holdfast, { agent, customer: 'customer-42' });
  const { items } = await holdfast.conversations.list({ agentId: agent });
  expect([lost.answers, items.map((one) => one.id)]).toEqual([1, [id]]);
});

it.each(['', ' customer', 'customer\n', 'x'.repeat(201)])('refuses the customer %j', async (customer) => {
  const { holdfast } = createCounted();
  await expect(conversationFor(holdfast, { agent: 'Support', customer })).rejects.toThrow(
    /^customer: expected/,
  );
});
