import type { HoldfastClient, NewAgent } from '../../src/clients/client/index.ts';

/** What the pictures of single things show. */
interface Scene {
  conversationId: string;
  turnId: string;
}

const shop: NewAgent = {
  name: 'Shop',
  model: 'demo',
  instructions: 'You help customers with their orders. Ask before you calculate a refund.',
  tools: [
    {
      type: 'function',
      name: 'calculate',
      description: 'Calculates.',
      schema: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
      config: { functionName: 'calculate' },
      settings: { approval: 'ask' },
    },
  ],
};

/** Does a little of everything in an empty workspace, with the demo model. */
export async function fillScene(client: HoldfastClient): Promise<Scene> {
  const { items } = await client.agents.list();
  const demo = await talk(client, items[0]?.id ?? '', [
    'What time is it? And what is 6 * 7?',
    'List the directory "." and say what is in it.',
  ]);
  const { id: shopId } = await client.agents.create(shop);
  const waiting = await client.conversations.create({ agentId: shopId, person: 'ada@example.com' });
  const turn = await client.turns.start({
    conversationId: waiting.id,
    message: 'Refund my order: calculate 3 * 19.90.',
  });
  await untilWaiting(client, turn.id);
  return demo;
}

async function talk(client: HoldfastClient, agentId: string, messages: string[]): Promise<Scene> {
  const { id: conversationId } = await client.conversations.create({ agentId, title: 'A first look' });
  let turnId = '';
  for (const message of messages) {
    ({ id: turnId } = await client.turns.start({ conversationId, message }));
    await client.turns.wait(turnId);
  }
  const { items } = await client.turns.list(conversationId);
  return { conversationId, turnId: items.at(-1)?.id ?? turnId };
}

async function untilWaiting(client: HoldfastClient, turnId: string): Promise<void> {
  for await (const event of client.turns.stream(turnId)) if (event.type === 'action.requested') return;
}
