import { describe, expect, test } from 'vitest';
import { listReadableTypes, type Change } from '../../../src/modules/changes/change.ts';
import type { ChangeCursor } from '../../../src/modules/changes/change-cursor.ts';
import { createChangeRepository, mostChanges } from '../../../src/modules/changes/change-repository.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openChangeRows, sendMessage } from '../../labs/change-rows.ts';
import { runAsOwner } from '../../labs/database-login.ts';
import { fillWorkspace } from '../../labs/fill-workspace.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createRandom } from '../../labs/random.ts';
import { createAnswer } from '../../labs/turn-rows.ts';

const rows = openForTests(openChangeRows);

/** A reader that keeps its position, and what it has got. */
async function openReader(workspaceId: string) {
  let { cursor } = await rows.readChanges(workspaceId);
  const got: Change[] = [];
  return {
    got,
    cursor: () => cursor,
    read: async (): Promise<Change[]> => {
      const read = await rows.readChanges(workspaceId, cursor);
      expect(read.isComplete).toBe(true);
      ({ cursor } = read);
      got.push(...read.changes);
      return read.changes;
    },
  };
}

test('everything with a status that pages show leaves notes', async () => {
  const { cursor } = await rows.readChanges(await rows.createWorkspace());
  const place = await rows.createConversation();
  await fillWorkspace(rows, place);
  const types = listReadableTypes({ workspaceId: place.workspaceId });
  const { changes } = await rows.database.forStreams.pipelined(place.workspaceId, (query) =>
    createChangeRepository(query).readChanges(cursor, { types, person: null }),
  );
  expect(new Set(changes.map(({ type }) => type))).toEqual(new Set(types));
  const inConversations = changes.filter(({ conversationId }) => conversationId === place.conversationId);
  expect(new Set(inConversations.map(({ type }) => type))).toEqual(
    new Set(['turn', 'action', 'routine_run']),
  );
});

test('turns that a fork copies leave no notes, and a turn without another status leaves none', async () => {
  const place = await rows.createConversation();
  const { turn } = await rows.submit(place);
  await rows.storeAnswer(place, createAnswer(turn.id, { outcome: 'completed' }));
  const read = async (after?: ChangeCursor) =>
    rows.database.forStreams.pipelined(place.workspaceId, (query) =>
      createChangeRepository(query).readChanges(after, { types: ['turn'], person: null }),
    );
  const { cursor } = await read();
  await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    const copied = await trx('turns').where({ id: turn.id }).first<object>();
    await trx('turns').insert({ ...copied, id: newId(), ordinal: 7, copied_from: turn.id });
    await trx('turns').where({ id: turn.id }).update({ status: 'completed', answer: 'Other' });
  });
  const later = await rows.submit(place);
  const { changes } = await read(cursor);
  expect(changes.map(({ id, status }) => [id, status])).toEqual([[later.turn.id, 'running']]);
});

const toIds = (changes: Change[]) => changes.map(({ id }) => id);

describe('a reader', () => {
  test('loses nothing of two transactions that commit in the opposite order of their ids', async () => {
    const workspaceId = await rows.createWorkspace();
    const reader = await openReader(workspaceId);
    const first = await rows.begin(workspaceId);
    const early = await sendMessage(first.trx);
    const second = await rows.begin(workspaceId);
    const late = await sendMessage(second.trx);

    await second.commit();
    expect(toIds(await reader.read())).toEqual([late]);
    expect(await reader.read()).toEqual([]);
    await first.commit();
    expect(toIds(await reader.read())).toEqual([early]);
    expect(await reader.read()).toEqual([]);
  });

  test('gets what a transaction writes after the reader has begun, and nothing that is rolled back', async () => {
    const workspaceId = await rows.createWorkspace();
    const open = await rows.begin(workspaceId);
    const before = await sendMessage(open.trx);
    const undone = await rows.begin(workspaceId);
    await sendMessage(undone.trx);
    const reader = await openReader(workspaceId);
    const after = await sendMessage(open.trx);
    await undone.rollBack();
    expect(await reader.read()).toEqual([]);
    await open.commit();
    expect(toIds(await reader.read())).toEqual([before, after]);
  });

  test('waits for no transaction of others, however long it runs', async () => {
    const [workspaceId, other] = [await rows.createWorkspace(), await rows.createWorkspace()];
    const long = await rows.begin(other);
    await sendMessage(long.trx);
    const reader = await openReader(workspaceId);
    const sent = [await rows.sendNow(workspaceId), await rows.sendNow(workspaceId)];
    expect(toIds(await reader.read())).toEqual(sent);
    sent.push(await rows.sendNow(workspaceId));
    expect(toIds(await reader.read())).toEqual(sent.slice(2));
    await long.commit();
    expect(await reader.read()).toEqual([]);
  });
});

/** The statuses of each message, in their order. */
function bySubject(changes: Pick<Change, 'id' | 'status'>[]): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const { id, status } of changes) all.set(id, [...(all.get(id) ?? []), status]);
  return all;
}

test.each([1, 2, 3, 4, 5])(
  'readers that look at any time get each change of interleaved transactions once, in the order of its subject (%i)',
  async (seed) => {
    const workspaceId = await rows.createWorkspace();
    const random = createRandom(seed);
    const readers = [await openReader(workspaceId), await openReader(workspaceId)];
    const open: Awaited<ReturnType<typeof openWriter>>[] = [];
    const committed: Pick<Change, 'id' | 'status'>[] = [];
    const statuses = new Map<string, string>();
    const locked = new Set<string>();

    async function openWriter() {
      const transaction = await rows.begin(workspaceId);
      const written: Pick<Change, 'id' | 'status'>[] = [];
      return {
        write: async () => {
          const free = [...statuses.keys()].filter((id) => !locked.has(id));
          const known = free[random(2 * free.length + 1)];
          const id = known ?? (await sendMessage(transaction.trx));
          locked.add(id);
          if (known === undefined) {
            written.push({ id, status: 'unread' });
            return;
          }
          const status = statuses.get(id) === 'read' ? 'unread' : 'read';
          const read_at = status === 'read' ? new Date() : null;
          await transaction.trx('inbox_messages').where({ id }).update({ read_at });
          written.push({ id, status });
        },
        end: async () => {
          const commits = random(4) > 0;
          await (commits ? transaction.commit() : transaction.rollBack());
          for (const change of written) {
            locked.delete(change.id);
            if (commits) statuses.set(change.id, change.status);
          }
          if (commits) committed.push(...written);
        },
      };
    }

    for (let step = 0; step < 150; step += 1) {
      const writer = open[random(open.length || 1)];
      const action = random(10);
      if (action < 2 && open.length < 6) open.push(await openWriter());
      else if (action < 6 && writer) await writer.write();
      else if (action < 7 && writer) await open.splice(open.indexOf(writer), 1)[0]?.end();
      else await readers[random(2)]?.read();
    }
    for (const writer of open) await writer.end();
    readers.push(await openReader(workspaceId));
    for (const reader of readers) await reader.read();

    expect(committed.length).toBeGreaterThan(10);
    const [one, other, late] = readers;
    for (const reader of [one, other]) {
      expect(reader?.got).toHaveLength(committed.length);
      expect(bySubject(reader?.got ?? [])).toEqual(bySubject(committed));
    }
    expect(late?.got).toEqual([]);
  },
);

test('more changes than one read has are none, and the reader reads everything anew', async () => {
  const workspaceId = await rows.createWorkspace();
  const { cursor } = await rows.readChanges(workspaceId);
  await rows.database.inWorkspace(workspaceId, async (trx) => {
    const message = { person: 'ann', text: 'x', sender: {} };
    const add = (count: number) =>
      trx('inbox_messages').insert(Array.from({ length: count }, () => ({ ...message, id: newId() })));
    await add(mostChanges);
  });
  const whole = await rows.readChanges(workspaceId, cursor);
  expect(whole).toMatchObject({ isComplete: true });
  expect(whole.changes).toHaveLength(mostChanges);
  await rows.sendNow(workspaceId);
  const missed = await rows.readChanges(workspaceId, cursor);
  expect(missed).toMatchObject({ isComplete: false, changes: [] });
  await rows.sendNow(workspaceId);
  expect((await rows.readChanges(workspaceId, missed.cursor)).changes).toHaveLength(1);
});

test('positions from before a crash of Postgres are incomplete', async () => {
  const workspaceId = await rows.createWorkspace();
  await rows.sendNow(workspaceId);
  const before = await rows.readChanges(workspaceId);
  // Postgres empties its unlogged tables after a crash.
  await runAsOwner(rows.url, 'TRUNCATE changes, change_log');
  const lost = await rows.readChanges(workspaceId, before.cursor);
  expect(lost).toMatchObject({ isComplete: false, changes: [] });
  const sent = await rows.sendNow(workspaceId);
  expect((await rows.readChanges(workspaceId, before.cursor)).isComplete).toBe(false);
  const continued = await rows.readChanges(workspaceId, lost.cursor);
  expect(continued).toMatchObject({ isComplete: true, changes: [{ id: sent }] });
});

test('positions that are ahead of the database, which was restored, are incomplete', async () => {
  const workspaceId = await rows.createWorkspace();
  const { cursor } = await rows.readChanges(workspaceId);
  const ahead = { ...cursor, snapshot: '900000000000:900000000000:' };
  expect(await rows.readChanges(workspaceId, ahead)).toMatchObject({ isComplete: false });
});

test('notes of a transaction that is ahead of the database are not read again and again', async () => {
  const workspaceId = await rows.createWorkspace();
  const { cursor } = await rows.readChanges(workspaceId);
  await rows.sendNow(workspaceId);
  await runAsOwner(rows.url, `UPDATE changes SET xid = '900000000000' WHERE workspace_id = '${workspaceId}'`);
  expect(await rows.readChanges(workspaceId, cursor)).toMatchObject({ isComplete: true, changes: [] });
});
