import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHoldfast } from 'holdfast/testing';
import { support } from '../agents/support.ts';

const holdfast = await startHoldfast({ agents: [support] });
after(() => holdfast.stop());

test('Support looks up an order before it answers', async () => {
  holdfast.script(
    { calls: [{ name: 'order_status', arguments: { order: 'A-17' } }] },
    { text: 'Your order A-17 has been shipped.' },
  );
  const turn = await holdfast.ask(support, 'Where is my order A-17?');
  assert.equal(turn.answer, 'Your order A-17 has been shipped.');
  assert.equal(turn.toolCalls.length, 1);
  assert.equal(turn.toolCalls[0]?.name, 'order_status');
  assert.equal(turn.toolCalls[0].result, '{"order":"A-17","status":"shipped"}');
});
