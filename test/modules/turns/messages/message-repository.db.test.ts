import { beforeAll, expect, test } from 'vitest';
import { createMessageRepository } from '../../../../src/modules/turns/messages/message-repository.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { playTurn } from '../../../labs/played-turn.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { openTwoWorkspaces } from '../../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);
let conversationId: string;
beforeAll(async () => {
  const turn = await playTurn(workspaces);
  ({ conversationId } = turn);
  await workspaces.inOwn(async (trx) => {
    const message = { conversation_id: conversationId, turn_id: turn.turnId, role: 'assistant' };
    // Stored out of order: the order of a conversation is not the order of its rows.
    for (const [turn_ordinal, iteration] of [
      [2, 1],
      [1, 2],
      [1, 10],
      [2, 0],
    ]) {
      const text = `${turn_ordinal}.${iteration}`;
      await trx('messages').insert({ ...message, id: newId(), turn_ordinal, iteration, text });
    }
  });
});
test.each([1, 2, 3, 100])(
  'messages are listed in the order of the conversation, in pages of %i',
  async (limit) => {
    const texts: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await workspaces.inOwn((trx) =>
        createMessageRepository(trx).listMessages({ conversationId, cursor, limit }),
      );
      expect(page.items.length).toBeLessThanOrEqual(limit);
      texts.push(...page.items.map(({ text }) => text));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(texts).toEqual(['Hello', '1.2', '1.10', '2.0', '2.1']);
  },
);

test('messages are not visible in another workspace', async () => {
  const page = await workspaces.inForeign((trx) =>
    createMessageRepository(trx).listMessages({ conversationId, limit: 10 }),
  );
  expect(page.items).toEqual([]);
});
