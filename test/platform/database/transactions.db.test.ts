import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { defineStatement, type Query } from '../../../src/platform/database/statement.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);
let place: RowRef;

const rename = defineStatement<{ id: string; title: string }, { title: string }>(
  'test_rename',
  'UPDATE conversations SET title = :title WHERE id = :id RETURNING title',
);
const fail = defineStatement<object, unknown>('test_fail', 'SELECT 1 / 0');
const readTitle = defineStatement<{ id: string }, { title: string | null }>(
  'test_read_title',
  'SELECT title FROM conversations WHERE id = :id',
);

beforeAll(async () => {
  place = await rows.createConversation();
});

async function readStoredTitle(): Promise<string | null> {
  const row = await rows.database
    .system('conversations')
    .where({ id: place.conversationId })
    .first<{ title: string | null }>('title');
  return row.title;
}

test.each(['pipelined', 'transact'] as const)('%s commits the changes of its statements', async (how) => {
  const id = place.conversationId;
  const result = await rows.database[how](place.workspaceId, (query) =>
    Promise.all([query(rename, { id, title: how }), query(readTitle, { id })]),
  );
  expect(result).toEqual([[{ title: how }], [{ title: how }]]);
  expect(await readStoredTitle()).toBe(how);
});

test.each(['pipelined', 'transact'] as const)(
  '%s rolls everything back when a statement fails',
  async (how) => {
    const id = place.conversationId;
    const before = await readStoredTitle();
    const failing = rows.database[how](place.workspaceId, (query) =>
      Promise.all([query(rename, { id, title: 'lost' }), query(fail, {}), query(readTitle, { id })]),
    );
    await expect(failing).rejects.toThrow('division by zero');
    expect(await readStoredTitle()).toBe(before);
  },
);

test.each(['pipelined', 'transact'] as const)(
  '%s tells why its transaction failed, also when a later statement is awaited first',
  async (how) => {
    const failing = rows.database[how](place.workspaceId, async (query) => {
      const failed = query(fail, {}).catch(async (error: unknown) => {
        // The answer to the next statement comes with the same packet.
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
        throw error;
      });
      return Promise.all([failed, query(readTitle, { id: place.conversationId })]);
    });
    await expect(failing).rejects.toThrow('division by zero');
  },
);

test.each([
  ['throws at once', false],
  ['rejects at once', true],
])('pipelined stores nothing when its function %s', async (_how, isAsync) => {
  const id = place.conversationId;
  const before = await readStoredTitle();
  const refuse = (query: Query): never => {
    void query(rename, { id, title: 'refused' });
    throw new Error('not today');
  };
  const failing = rows.database.pipelined(
    place.workspaceId,
    // eslint-disable-next-line @typescript-eslint/require-await
    isAsync ? async (query) => refuse(query) : (query) => refuse(query),
  );
  await expect(failing).rejects.toThrow('not today');
  expect(await readStoredTitle()).toBe(before);
});

test.each(['pipelined', 'transact'] as const)(
  'a database session can be used again after %s failed on it',
  async (how) => {
    const id = place.conversationId;
    for (let index = 0; index < 40; index++) {
      await expect(rows.database[how](place.workspaceId, (query) => query(fail, {}))).rejects.toThrow();
    }
    const found = await rows.database[how](place.workspaceId, (query) => query(readTitle, { id }));
    expect(found).toHaveLength(1);
  },
);

test('a statement that is added after its transaction was sent is refused', async () => {
  const id = place.conversationId;
  const late = rows.database.pipelined(place.workspaceId, async (query) => {
    await query(readTitle, { id });
    return query(rename, { id, title: 'too late' });
  });
  await expect(late).rejects.toThrow('came after its transaction was sent');
  expect(await readStoredTitle()).not.toBe('too late');
});

test.each(['pipelined', 'transact'] as const)(
  '%s runs again after a migration changed the columns of a prepared statement',
  async (how) => {
    const id = place.conversationId;
    const read = defineStatement<{ id: string }, { [column: string]: unknown }>(
      `test_read_all_${how}`,
      'SELECT * FROM conversations WHERE id = :id',
    );
    const readAll = () => rows.database[how](place.workspaceId, (query) => query(read, { id }));
    // Several connections have the plan.
    await Promise.all([readAll(), readAll(), readAll()]);
    const owner = new pg.Client(rows.url);
    await owner.connect();
    await owner.query(`ALTER TABLE conversations ADD COLUMN added_${how} text DEFAULT 'new'`);
    await owner.end();
    const found = await Promise.all([readAll(), readAll(), readAll()]);
    expect(found.map(([row]) => row?.[`added_${how}`])).toEqual(['new', 'new', 'new']);
  },
);
