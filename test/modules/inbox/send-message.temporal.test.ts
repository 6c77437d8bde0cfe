import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInboxRepository } from '../../../src/modules/inbox/inbox-repository.ts';
import { createSwarmMessageRepository } from '../../../src/modules/swarms/messages/swarm-message-repository.ts';
import { mostMessageDepth, mostMessagesOfOrigin } from '../../../src/domain/inbox.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { createMessageService } from '../../../src/modules/inbox/create-message-service.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { coreTool } from '../../labs/core-tool.ts';
import { eventually } from '../../labs/eventually.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import type { LabScene } from '../../labs/turn-lab-scene.ts';
import { insertWebhook } from '../../labs/turn-rows.ts';
import { startWebhookScene, verifyRequest } from '../../labs/webhook-scene.ts';

let lab: TurnLab;
beforeAll(async () => {
  lab = await startTurnLab({ environment: { HOLDFAST_WEBHOOK_PAUSES: '0.2,0.3' } });
});
afterAll(() => lab.close());

function openScene(): Promise<LabScene> {
  return lab.scene({ execution: 'direct', tools: [coreTool('send_message')] });
}

/** Has the model of a scene send one message, and returns the call when its turn has ended. */
async function sendOnce(
  scene: LabScene,
  to: JsonObject,
  options: { message?: string; actingFor?: string } = {},
) {
  const { message = 'Please look.', actingFor } = options;
  scene.reply({ toolCalls: [{ name: 'send_message', arguments: { to, message } }] }, { text: 'Sent.' });
  const turnId = await scene.say('Tell them.', actingFor === undefined ? {} : { actingFor });
  const turn = await lab.waitForOutcome(turnId);
  const [call] = turn.toolCalls;
  if (!call) throw new Error('the turn has no call');
  const answer =
    call.result === null ? {} : (JSON.parse(call.result) as { turnId?: string; conversationId?: string });
  return { ...call, answer, senderTurnId: turnId };
}

describe('a message to an agent', () => {
  test('starts a turn in a new conversation, for the person of the sender', async () => {
    const [sender, receiver] = [await openScene(), await openScene()];
    receiver.reply({ text: 'Looked.' });
    const { answer } = await sendOnce(
      sender,
      { type: 'agent', agentId: receiver.agent.id },
      { actingFor: 'ann' },
    );
    const turn = await lab.waitForOutcome(answer.turnId ?? '');
    expect(turn).toMatchObject({
      agentId: receiver.agent.id,
      answer: 'Looked.',
      startedBy: { apiKeyId: null, actingFor: 'ann' },
    });
    expect(turn.conversationId).not.toBe(receiver.conversationId);
    const heard = receiver.requests()[0]?.body.messages.at(-1);
    expect(heard).toEqual({
      role: 'user',
      content: 'Message from the agent "Scripted agent":\n\nPlease look.',
    });
  });

  test('goes on in a conversation with a name', async () => {
    const [sender, receiver] = [await openScene(), await openScene()];
    receiver.reply({ text: 'One.' }, { text: 'Two.' });
    const to = { type: 'agent', agentId: receiver.agent.id, conversation: 'Planning' };
    const first = await sendOnce(sender, to);
    await lab.waitForOutcome(first.answer.turnId ?? '');
    const second = await sendOnce(sender, to, { message: 'And now?' });
    await lab.waitForOutcome(second.answer.turnId ?? '');
    expect(second.answer.conversationId).toBe(first.answer.conversationId);
    expect(receiver.requests()[1]?.body.messages).toHaveLength(4);
  });

  test('is sent once when the call is attempted again', async () => {
    const [sender, receiver] = [await openScene(), await openScene()];
    receiver.reply({ text: 'Looked.' });
    const { turnId } = await sender.submit('Wait.');
    const service = createMessageService({ ...lab.turns, database: lab.database });
    const call = {
      ...{ workspaceId: lab.workspaceId, agentId: sender.agent.id, turnId },
      ...{ conversationId: sender.conversationId, idempotencyKey: newId() },
    };
    const to = { type: 'agent' as const, agentId: receiver.agent.id };
    const answers: JsonObject[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1)
      answers.push(await service.send({ to, message: 'Once.' }, call));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await lab.waitForOutcome(answers[0]?.turnId as string);
    expect(receiver.requests()).toHaveLength(1);
    const person = { type: 'person' as const, person: 'cleo' };
    const again = { ...call, idempotencyKey: newId() };
    await Promise.all([1, 2, 3].map(() => service.send({ to: person, message: 'Hello.' }, again)));
    const inbox = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
      createInboxRepository(trx).listMessages({ person: 'cleo', limit: 10 }),
    );
    expect(inbox.items).toHaveLength(1);
  });

  test('is refused for an agent that does not exist', async () => {
    const call = await sendOnce(await openScene(), { type: 'agent', agentId: newId() });
    expect(call).toMatchObject({ status: 'failed', error: { code: 'INVALID_TOOL_ARGUMENTS' } });
  });
});

test('agents that answer each other stop after a number of messages', async () => {
  const [one, other] = [await openScene(), await openScene()];
  const say = (scene: LabScene) => [
    {
      toolCalls: [
        {
          name: 'send_message',
          arguments: {
            to: { type: 'agent', agentId: scene.agent.id, conversation: 'Chat' },
            message: 'Your turn.',
          },
        },
      ],
    },
    { text: 'Sent.' },
  ];
  for (let turn = 0; turn <= mostMessageDepth; turn += 1)
    (turn % 2 === 0 ? one : other).reply(...say(turn % 2 === 0 ? other : one));
  const turnId = await one.say('Begin.');
  await lab.waitForOutcome(turnId);
  const rows = lab.database.system('sent_messages').where({ origin_turn_id: turnId }).orderBy('depth');
  // A message is stored before the turn that it starts.
  const started = rows.clone().whereIn('turn_id', lab.database.system('turns').select('id'));
  const sent = await eventually(
    () => started.clone().select<{ depth: number; turn_id: string }[]>('depth', 'turn_id'),
    (list) => list.length >= mostMessageDepth,
  );
  expect(sent.map(({ depth }) => depth)).toEqual(
    Array.from({ length: mostMessageDepth }, (_, index) => index + 1),
  );
  const last = await lab.waitForOutcome(sent.at(-1)?.turn_id ?? '');
  expect(last.toolCalls).toMatchObject([{ status: 'failed', error: { code: 'MESSAGE_LIMIT_EXCEEDED' } }]);
  expect(await rows.clone().pluck('id')).toHaveLength(mostMessageDepth);
});

test('a turn and those that it has led to send no more than a number of messages, also at the same time', async () => {
  const sender = await openScene();
  const { turnId } = await sender.submit('Tell everybody.');
  const service = createMessageService({ ...lab.turns, database: lab.database });
  const call = {
    ...{ workspaceId: lab.workspaceId, agentId: sender.agent.id, turnId },
    conversationId: sender.conversationId,
  };
  const to = { type: 'person' as const, person: 'emil' };
  const keys = Array.from({ length: mostMessagesOfOrigin + 5 }, () => newId());
  const send = (key: string) => service.send({ to, message: 'Hello.' }, { ...call, idempotencyKey: key });
  const sent = await Promise.allSettled(keys.map(send));

  const refused = sent.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  expect(refused).toHaveLength(5);
  expect(refused).toMatchObject(Array(5).fill({ code: 'MESSAGE_LIMIT_EXCEEDED' }));
  const rows = lab.database.system('sent_messages').where({ origin_turn_id: turnId });
  expect(await rows.clone().pluck('id')).toHaveLength(mostMessagesOfOrigin);
  // The attempt of a message that was sent is not counted again.
  const earlier = keys[sent.findIndex(({ status }) => status === 'fulfilled')] ?? '';
  expect(await send(earlier)).toMatchObject({ sent: true });
});

describe('a message to a conversation', () => {
  test('starts the next turn there', async () => {
    const [sender, receiver] = [await openScene(), await openScene()];
    receiver.reply({ text: 'Heard.' });
    const { conversationId } = receiver;
    const { answer } = await sendOnce(sender, { type: 'conversation', conversationId });
    expect(await lab.waitForOutcome(answer.turnId ?? '')).toMatchObject({ conversationId, answer: 'Heard.' });
  });

  test('does not bring one person into the conversation of another', async () => {
    const [sender, receiver] = [await openScene(), await openScene()];
    receiver.reply({ text: 'Hello Bob.' });
    await lab.waitForOutcome(await receiver.say('Hello.', { actingFor: 'bob' }));
    const to = { type: 'conversation', conversationId: receiver.conversationId };
    const refused = await sendOnce(sender, to, { actingFor: 'ann' });
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'INVALID_TOOL_ARGUMENTS' } });
    for (const conversationId of [sender.conversationId, newId()])
      expect(await sendOnce(sender, { type: 'conversation', conversationId })).toMatchObject({
        status: 'failed',
      });
  });
});

test('a message to a person lies in the inbox, and webhooks are told of it', async () => {
  await lab.database.inWorkspace(lab.workspaceId, (trx) => insertWebhook(trx, { events: ['inbox.message'] }));
  const sender = await openScene();
  await sendOnce(
    sender,
    { type: 'person', subject: 'Done' },
    { message: 'The report is done.', actingFor: 'dora' },
  );
  const { items } = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
    createInboxRepository(trx).listMessages({ person: 'dora', limit: 10 }),
  );
  expect(items).toMatchObject([
    { subject: 'Done', text: 'The report is done.', from: { agentId: sender.agent.id }, readAt: null },
  ]);
  const told = await lab.database.system('webhook_deliveries').where({ type: 'inbox.message' }).pluck('data');
  expect(told).toContainEqual(expect.objectContaining({ messageId: items[0]?.id, person: 'dora' }));
  expect(JSON.stringify(told)).not.toContain('report');
  const nobody = await sendOnce(sender, { type: 'person' });
  expect(nobody).toMatchObject({ status: 'failed', error: { code: 'INVALID_TOOL_ARGUMENTS' } });
});

test('a webhook is told of a message to a person at once, and again after a failure', async () => {
  const webhook = await startWebhookScene(lab, ['inbox.message']);
  webhook.reply({ status: 500 });
  const sender = await openScene();
  await sendOnce(sender, { type: 'person', person: 'fay', subject: 'Done' }, { message: 'It is done.' });
  const delivery = await webhook.waitFor(({ status }) => status === 'delivered');
  expect(delivery.attempts).toMatchObject([{ status: 500 }, { status: 200 }]);
  const [first, second] = webhook.receiver.requests;
  if (!first || !second) throw new Error('the webhook was not told twice');
  const message = await verifyRequest(webhook.secret, second);
  expect(message).toMatchObject({ type: 'inbox.message', data: { person: 'fay' } });
  expect(second.body).toBe(first.body);
});

test('a message to a topic is for the swarm of its turn alone', async () => {
  const sender = await openScene();
  const outside = await sendOnce(sender, { type: 'topic', topic: 'plan' });
  expect(outside).toMatchObject({ status: 'failed', error: { code: 'INVALID_TOOL_ARGUMENTS' } });
  const swarmId = newId();
  const { turnId } = await sender.submit('Work.');
  await lab.database.system('turns').where({ id: turnId }).update({ swarm_id: swarmId });
  const service = createMessageService({ ...lab.turns, database: lab.database });
  const call = {
    ...{ workspaceId: lab.workspaceId, agentId: sender.agent.id, turnId },
    ...{ conversationId: sender.conversationId, idempotencyKey: newId() },
  };
  await service.send({ to: { type: 'topic', topic: 'plan' }, message: 'Step one is done.' }, call);
  const listed = await lab.database.pipelined(lab.workspaceId, (query) =>
    createSwarmMessageRepository(query).listMessages(swarmId),
  );
  expect(listed).toMatchObject([
    { topic: 'plan', text: 'Step one is done.', from: { agentId: sender.agent.id }, leaderNotified: false },
  ]);
});
