import { expect, it, onTestFinished } from 'vitest';
import type { StreamingPeer } from '../../../bench/peers/streaming/contract.ts';
import { serveConversations } from '../../../bench/peers/streaming/serve-conversations.ts';
import { followConversation } from '../../../bench/programs/follow-conversation.ts';
import { toStamp } from '../../../bench/programs/stamps.ts';

const stamp = toStamp(0);

async function runTurn(run: StreamingPeer['runTurn']) {
  const failures: unknown[] = [];
  const { url: origin, close } = await serveConversations(run, (error) => failures.push(error));
  onTestFinished(close);
  const post = async (resource: string, body: object) => {
    const response = await fetch(origin + resource, { method: 'POST', body: JSON.stringify(body) });
    return (await response.json()) as { data: { conversation: { id: string } } };
  };
  const { id } = (await post('/api/conversations', {})).data.conversation;
  const stream = await followConversation({
    url: `${origin}/api/conversations/${id}/events`,
    apiKey: 'none',
  });
  const ended = stream.nextTurn();
  await post(`/api/conversations/${id}/turns`, { message: 'hello' });
  const turn = await ended;
  stream.close();
  return { id, turn, failures };
}

it('shows the turns of a peer to the clients that read the turns of Holdfast', async () => {
  const inputs: object[] = [];
  const { id, turn } = await runTurn(async (input, reader) => {
    inputs.push(input);
    for (const count of [2, 1]) {
      for (let piece = 0; piece < count; piece += 1) reader.piece(stamp);
      reader.message(stamp.repeat(count));
      await Promise.resolve();
    }
  });
  expect(inputs).toEqual([{ conversationId: id, message: 'hello' }]);
  expect(turn).toMatchObject({ outcome: 'completed', storedPieces: 3 });
  expect([turn.firstPiecesMs.length, turn.laterPiecesMs.length]).toEqual([2, 1]);
});

it('ends a turn that fails as failed', async () => {
  const error = new Error('the model is unreachable');
  const { turn, failures } = await runTurn((_, reader) => {
    reader.piece(stamp);
    return Promise.reject(error);
  });
  expect(failures).toEqual([error]);
  expect(turn).toMatchObject({ outcome: 'failed', storedPieces: 0 });
});
