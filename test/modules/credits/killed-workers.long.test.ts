import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ExecutionMode } from '../../../src/domain/agent.ts';
import { createBudget } from '../../../src/modules/credits/budgets/change-budgets.ts';
import { setPrices } from '../../../src/modules/credits/workspace-prices.ts';
import { createBudgetRepository } from '../../../src/modules/credits/budgets/budget-repository.ts';
import { createDocumentRepository } from '../../../src/modules/knowledge/document-repository.ts';
import { createKnowledgeBaseRepository } from '../../../src/modules/knowledge/bases/knowledge-base-repository.ts';
import { knowledgeBaseInputSchema } from '../../../src/domain/knowledge.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createIngestionEngine } from '../../../src/modules/knowledge/ingestion-engine.ts';
import { toIngestionWorkflowId } from '../../../src/modules/knowledge/document-contract.ts';
import { coreTool } from '../../labs/core-tool.ts';
import { holdSettlements, type HeldSettlements } from '../../labs/held-settlements.ts';
import { createRoutineScene, toDocument } from '../../labs/routine-scene.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import type { WorkerProcess } from '../../labs/turn-lab-worker.ts';
import { startEmbeddingServer, type EmbeddingServer } from '../../servers/embedding-server.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A call of a model or of an embedding model costs 1,000 credits, and an image 2,000. */
const prices = {
  '*': { input: 0, output: 0, perCall: 0.001 },
  'compatible/painter': { input: 0, output: 0, perImage: 0.002 },
};

let lab: TurnLab;
let held: HeldSettlements;
let worker: WorkerProcess;
let embeddings: EmbeddingServer;
/** A knowledge base with a document that searches find by its meaning. */
let knowledgeBaseId: string;

const embeddingModel = 'openai/words';

beforeAll(async () => {
  embeddings = await startEmbeddingServer();
  const environment = { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: embeddings.baseUrl };
  lab = await startTurnLab({ worker: false, environment });
  held = await holdSettlements(lab);
  worker = await lab.startWorkerProcess();
  const ready = await prepareDocument();
  ({ knowledgeBaseId } = ready);
  await ready.start();
  await ready.end();
  await lab.database.system('credit_entries').delete();
  await setPrices(lab, lab, prices);
});

afterAll(async () => {
  await held.close();
  await lab.close();
  await embeddings.close();
});

/** Work whose call by this name is held when its answer is there. */
interface HeldWork {
  name: string;
  /** Starts the work, and returns the id of its turn. */
  start: () => Promise<string>;
}

/** A call that was cut off is made again by the next attempts. */
const again = (text: string) => Array.from({ length: 4 }, () => ({ text, isOptional: true }));

async function prepareTurn(execution: ExecutionMode): Promise<HeldWork> {
  const scene = await lab.scene({ execution });
  scene.reply({ text: 'Hello.' }, ...again('Hello again.'));
  return { name: scene.agent.model, start: () => scene.say('Hello') };
}

async function prepareRoutine(): Promise<HeldWork> {
  const scene = await createRoutineScene(lab);
  scene.reply({ text: 'Fine.' }, ...again('Fine again.'));
  const asks = '  - ask: { call: model, with: { prompt: Hello } }';
  const { id } = await scene.store(toDocument(`asks-${newId()}`, asks));
  return { name: scene.agent.model, start: () => scene.start(id) };
}

/** A turn whose agent asks another agent, whose call is held. */
async function prepareParent(): Promise<HeldWork> {
  const called = await lab.scene();
  called.reply({ text: 'Twenty-three.' }, ...again('23.'));
  const schema = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
  const tool = { type: 'agent' as const, name: 'ask', description: 'Asks.', schema };
  const scene = await lab.scene({ tools: [{ ...tool, config: { agentId: called.agent.id } }] });
  scene.reply({ toolCalls: [{ name: 'ask', arguments: { message: 'How much?' } }] }, { text: 'It is 23.' });
  return { name: called.agent.model, start: () => scene.say('Ask.') };
}

async function preparePainter(): Promise<HeldWork> {
  const tool = { ...coreTool('generate_image'), config: { model: 'compatible/painter' } };
  const scene = await lab.scene({ tools: [tool] });
  const body = { data: [{ b64_json: png }] };
  lab.model.reply({ when: ({ model }) => model === 'painter', status: 200, body });
  const call = { name: 'generate_image', arguments: { prompt: 'A boat' } };
  scene.reply({ toolCalls: [call] }, { text: 'Done.' });
  return { name: 'generate_image', start: () => scene.say('Paint a boat.') };
}

/** A turn that searches by meaning. */
async function prepareSearch(): Promise<HeldWork> {
  const schema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
  const tool = { type: 'knowledge_base' as const, name: 'search', description: 'Searches.', schema };
  const scene = await lab.scene({ tools: [{ ...tool, config: { knowledgeBaseId } }] });
  const call = { name: 'search', arguments: { query: 'kitten' } };
  scene.reply({ toolCalls: [call] }, { text: 'Milk.', isOptional: true });
  return { name: embeddingModel, start: () => scene.say('What do kittens drink?') };
}

/** A document of one chunk, in a knowledge base of its own. */
async function prepareDocument() {
  const { document, generation, ...base } = await lab.database.inWorkspace(lab.workspaceId, async (trx) => {
    const input = knowledgeBaseInputSchema.parse({ name: newId(), embeddingModel });
    const { id } = await createKnowledgeBaseRepository(trx).createKnowledgeBase(input);
    const bytes = new TextEncoder().encode('A cat drinks milk.');
    const text = { knowledgeBaseId: id, name: 'cats', mediaType: 'text/plain' as const, bytes };
    return { ...(await createDocumentRepository(trx).createDocument(text)), knowledgeBaseId: id };
  });
  const input = { workspaceId: lab.workspaceId, documentId: document.id, generation };
  const engine = createIngestionEngine({ client: lab.client, taskQueue: lab.taskQueue });
  return {
    knowledgeBaseId: base.knowledgeBaseId,
    start: () => engine.startIngestion(input, 'cats'),
    end: (): Promise<unknown> => lab.client.workflow.getHandle(toIngestionWorkflowId(input)).result(),
  };
}

afterEach(async () => {
  for (const table of ['budgets', 'credit_entries']) await lab.database.system(table).delete();
});

test.each([
  ['is lost with it', 2],
  ['may be stored without it', 1],
] as const)(
  'a call counts once when its worker dies between the answer and the settlement, which %s',
  { timeout: 120_000 },
  async (_, leastRequests) => {
    const budget = await createBudget(lab, lab, { scope: 'workspace', period: 'total', credits: 1_000_000n });
    const all = await Promise.all([
      ...[prepareTurn('direct'), prepareTurn('inspectable')],
      ...[prepareRoutine(), prepareParent(), preparePainter(), prepareSearch()],
    ]);
    const document = await prepareDocument();
    await held.hold([...new Set(all.map(({ name }) => name))]);
    await document.start();
    const turnIds = await Promise.all(all.map(({ start }) => start()));
    await held.waitForHeld(all.length + 1);
    await worker.kill();
    if (leastRequests === 2) await held.lose();
    await held.letGo();
    worker = await lab.startWorkerProcess();
    const turns = await Promise.all(turnIds.map(lab.waitUntilSettled));

    expect(turns.map(({ outcome }) => outcome)).toEqual(all.map(() => 'completed'));
    expect(turns.map(({ credits }) => credits)).toEqual(['1000', '1000', '1000', '2000', '4000', '3000']);
    expect(await document.end()).toEqual({ outcome: 'ready', chunks: 1 });
    const entries = await lab.database
      .system('credit_entries')
      .select<{ status: string; credits: number }[]>('status', 'credits');
    expect(new Set(entries.map(({ status }) => status))).toEqual(new Set(['settled']));
    expect(entries.map(({ credits }) => credits).toSorted()).toEqual([...Array<number>(12).fill(1000), 2000]);
    const { spent, reserved } = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
      createBudgetRepository(trx).getBudget(budget.id),
    );
    expect({ spent, reserved }).toEqual({ spent: '14000', reserved: '0' });

    const countRequests = (name: string) =>
      lab.model.requests.filter(({ body }) => `compatible/${body.model}` === name).length;
    for (const { name } of all.slice(0, 4)) expect(countRequests(name)).toBeGreaterThanOrEqual(leastRequests);
    // An image is not made again, since the first one may have been paid for.
    const painter = turns[4];
    if (leastRequests === 2) expect(painter?.toolCalls).toMatchObject([{ status: 'unknown', attempts: 1 }]);
  },
);

test('a turn whose search would break a budget fails, and nothing is embedded', async () => {
  await createBudget(lab, lab, { scope: 'workspace', period: 'total', credits: 1_500n });
  const before = embeddings.requests.length;
  const { start } = await prepareSearch();
  const turn = await lab.waitUntilSettled(await start());
  expect(turn).toMatchObject({ outcome: 'failed', credits: '1000', error: { code: 'BUDGET_EXCEEDED' } });
  expect(embeddings.requests).toHaveLength(before);
});
