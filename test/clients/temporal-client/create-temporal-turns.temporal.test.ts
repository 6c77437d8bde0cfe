import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHoldfastClient } from '../../../src/clients/client/index.ts';
import { createTemporalTurns } from '../../../src/clients/temporal-client/index.ts';
import { toTurnId } from '../../../src/platform/lib/ids.ts';
import { uniqueTaskQueue } from '../../labs/temporal.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

let lab: TurnLab;

beforeAll(async () => {
  lab = await shareTurnLab();
});

afterAll(() => lab.close());

function createTurns() {
  const { client, workspaceId, taskQueue } = lab;
  return createHoldfastClient({ turns: createTemporalTurns({ client, workspaceId, taskQueue }) }).turns;
}

test('a key finds its turn while it runs and when it is settled, and is refused for another message', async () => {
  const turns = createTurns();
  const scene = await lab.scene();
  scene.reply({ text: 'Once and for all.', chunkDelayMs: 200 });
  const request = { conversationId: scene.conversationId, message: 'Once?', idempotencyKey: 'order-1' };
  const { id } = await turns.start(request);
  const reused = { code: 'IDEMPOTENCY_KEY_REUSED', status: 409, details: { turnId: id } };
  await scene.waitForRequest(1);

  expect(await turns.start(request)).toMatchObject({ id });
  await expect(turns.start({ ...request, message: 'Twice?' })).rejects.toMatchObject(reused);
  const turn = await turns.wait(id, { timeoutMs: 30_000 });
  expect(turn).toMatchObject({ id, outcome: 'completed', answer: 'Once and for all.' });
  expect(await turns.start(request)).toMatchObject({ id });
  await expect(turns.start({ ...request, onBusy: 'enqueue' })).rejects.toMatchObject(reused);
  expect(await turns.wait(id)).toEqual(turn);
  expect(scene.requests()).toHaveLength(1);
});

test('the memo of a submission equals the request hash in the database', async () => {
  const turns = createTurns();
  const scene = await lab.scene();
  scene.reply({ text: 'Yes.' });
  const { id } = await turns.start({ conversationId: scene.conversationId, message: 'Ünïcode "too"?' });
  await turns.wait(id, { timeoutMs: 30_000 });

  const { memo } = await lab.client.workflow.getHandle(`submission-${id}`).describe();
  const rows = await lab.database.system('turns').where({ id }).select('request_hash as requestHash');
  expect(rows).toEqual([memo]);
});

test('a turn with a schema is answered by an object, and a schema that cannot be used is refused', async () => {
  const turns = createTurns();
  const scene = await lab.scene();
  scene.reply({ text: '{"sum": 23}' });
  const request = { conversationId: scene.conversationId, message: 'How much?' };
  const schema = { type: 'object', properties: { sum: { type: 'integer' } } };
  const { id } = await turns.start({ ...request, responseSchema: schema });
  expect(await turns.wait(id, { timeoutMs: 30_000 })).toMatchObject({ answerJson: { sum: 23 } });

  const refused = await turns.start({ ...request, responseSchema: { type: 'list' } });
  await expect(turns.wait(refused.id, { timeoutMs: 30_000 })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});

test('the key of a refused submission can be used for another message', async () => {
  const turns = createTurns();
  const scene = await lab.scene();
  scene.reply({ text: 'Busy ', hang: true }, { text: 'Free.' });
  const running = await scene.say('Work.');
  await scene.waitForRequest(1);
  const request = { conversationId: scene.conversationId, idempotencyKey: 'order-2' };
  const { id } = await turns.start({ ...request, message: 'Now?' });
  await expect(turns.wait(id, { timeoutMs: 30_000 })).rejects.toMatchObject({ code: 'TURN_RUNNING' });
  await lab.cancelTurn(running);
  await lab.waitForOutcome(running);

  expect(await turns.start({ ...request, message: 'And now?' })).toMatchObject({ id });
  expect(id).toBe(toTurnId(lab.workspaceId, 'order-2'));
  await expect(turns.wait(id, { timeoutMs: 30_000 })).resolves.toMatchObject({ answer: 'Free.' });
});

test('a wait ends with an error where no worker polls the task queue', async () => {
  const { client, workspaceId } = lab;
  const taskQueue = uniqueTaskQueue();
  const { turns } = createHoldfastClient({ turns: createTemporalTurns({ client, workspaceId, taskQueue }) });
  const { conversationId } = await lab.scene();
  const { id } = await turns.start({ conversationId, message: 'Is anybody there?' });
  await expect(turns.wait(id)).rejects.toMatchObject({
    code: 'NO_WORKERS',
    message: expect.stringContaining(taskQueue) as string,
  });
  await client.workflow.getHandle(`submission-${id}`).terminate();
});
