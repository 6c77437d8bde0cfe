import { expect, test } from 'vitest';
import { createFileRemovalQueue } from '../../../src/modules/retention/file-removal-repository.ts';
import { insertFile } from '../../labs/file-rows.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTurnRows } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

const dayMs = 24 * 60 * 60 * 1000;

test('unused uploads of all workspaces are listed page by page, also when none of a page is removed', async () => {
  const places = [await rows.createConversation(), await rows.createConversation()];
  const unused = new Set<string>();
  for (const place of places) {
    const { turn } = await rows.submit(place);
    await rows.database.inWorkspace(place.workspaceId, async (trx) => {
      for (const turnId of [undefined, turn.id, undefined]) {
        const id = await insertFile(trx, turnId, 8);
        if (turnId === undefined) unused.add(id);
      }
      await insertFile(trx, undefined, 6);
    });
  }
  const queue = createFileRemovalQueue(rows.database.system);
  const list = (after?: { id: string; workspaceId: string }) =>
    queue.listUnused(new Date(Date.now() - 7 * dayMs), { after, limit: 3 });

  const first = await list();
  const second = await list(first.at(-1));
  expect([first.length, second.length]).toEqual([3, 1]);
  expect(new Set([...first, ...second].map(({ id }) => id))).toEqual(unused);
  expect(await list(second.at(-1))).toEqual([]);
});
