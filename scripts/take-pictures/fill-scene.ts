import type { HoldfastClient, NewAgent } from '../../src/clients/client/index.ts';
import { fillAutomation } from './fill-automation.ts';

/** The addresses of the single things that the pictures show. */
type Scene = Record<
  'agent' | 'conversation' | 'turn' | 'knowledge' | 'routineRun' | 'swarm' | 'replay',
  string
>;

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
  const demoId = items[0]?.id ?? '';
  const { conversationId, turnId } = await talk(client, demoId, [
    'What time is it? And what is 6 * 7?',
    'List the directory "." and say what is in it.',
  ]);
  const { id: shopId } = await client.agents.create(shop);
  await client.agents.update(shopId, {
    instructions: `${shop.instructions}\nNever promise a date of delivery.`,
  });
  const waiting = await client.conversations.create({ agentId: shopId, person: 'ada@example.com' });
  const refund = await client.turns.start({
    conversationId: waiting.id,
    message: 'Refund my order: calculate 3 * 19.90.',
  });
  await untilWaiting(client, refund.id);
  await client.budgets.create({ scope: 'agent', subject: shopId, period: 'day', dollars: 5 });
  await client.budgets.create({ scope: 'workspace', period: 'month', dollars: 200 });
  const baseId = await fillKnowledge(client);
  const automation = await fillAutomation(client, { demoId, shopId });
  return {
    agent: `/agents/${shopId}`,
    conversation: `/playground?conversation=${conversationId}`,
    turn: `/runs/${turnId}`,
    knowledge: `/knowledge/${baseId}?view=search&query=parental%20leave`,
    routineRun: `/routine-runs/${automation.runId}`,
    swarm: `/swarms/${automation.swarmId}`,
    replay: `/replays/${await replayAll(client, demoId)}`,
  };
}

async function talk(client: HoldfastClient, agentId: string, messages: string[]) {
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

const handbook = `# Leave

Parental leave is 14 months, which both parents share. Say so to the office three months before.

# Travel

Trains are booked by the office. A journey by car needs the consent of the head of the team.
`;

async function fillKnowledge(client: HoldfastClient): Promise<string> {
  const { id } = await client.knowledgeBases.create({
    name: 'Handbook',
    description: 'What holds for everybody who works here.',
  });
  const text = new File([handbook], 'handbook.md', { type: 'text/markdown' });
  const { id: documentId } = await client.knowledgeBases.documents.create(id, { file: text });
  await until(async () => (await client.knowledgeBases.documents.get(id, documentId)).status === 'ready');
  await client.files.create({
    file: new File(['order,amount\n1017,59.70\n'], 'orders.csv', { type: 'text/csv' }),
  });
  return id;
}

/** Replays all turns of an agent against other instructions. */
async function replayAll(client: HoldfastClient, agentId: string): Promise<string> {
  const { id } = await client.replays.create({
    name: 'Shorter instructions',
    selection: { agentId },
    candidate: { instructions: 'Be brief.' },
    baseline: true,
  });
  await until(async () => (await client.replays.get(id)).status === 'completed');
  return id;
}

/** Asks every quarter of a second until it is so. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 250));
}
