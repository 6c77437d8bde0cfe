import type { Knex } from 'knex';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RowScope } from '../../../src/domain/row-scope.ts';
import { fillWorkspace } from '../../labs/fill-workspace.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);
let place: RowRef;

/** The tables with rows that belong to people. */
const tables = [
  ...['conversations', 'turns', 'messages', 'compactions', 'tool_calls', 'pending_actions'],
  ...['events', 'stream_chunks', 'replay_cases', 'replay_runs', 'routine_runs', 'routine_steps'],
  ...['files', 'file_pieces', 'file_texts', 'swarms', 'swarm_subtasks', 'swarm_blackboard', 'swarm_turns'],
  ...['schedules', 'schedule_runs', 'triggers', 'trigger_deliveries'],
];

/** Tables that name turns, conversations or people, and that no request for one person reads by itself. */
const unread = {
  credit_entries: 'sums of usage',
  file_uses: 'read together with files',
  inbox_messages: 'every reader asks by the person',
  routine_events: 'no request reads them, and each run takes those that reach its person',
  sent_messages: 'the ledger of agents that write messages',
  turn_call_counts: 'counted by the turn itself',
  usage: 'sums of usage',
};

beforeAll(async () => {
  place = await rows.createConversation();
  await fillWorkspace(rows, place);
  await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    for (const table of ['conversations', 'files', 'swarms', 'schedules', 'triggers'])
      await trx(table).update({ person: 'ann' });
    await trx('swarms').update({ parent_conversation_id: null });
  });
});

async function count(table: string, person: Partial<Exclude<RowScope, string>> = {}): Promise<number> {
  const { workspaceId } = place;
  const scope =
    person.person === undefined ? workspaceId : { workspaceId, person: '', decides: false, ...person };
  const [found] = await rows.database.inWorkspace(scope, (trx) => trx(table).count<{ count: number }[]>());
  return found?.count ?? 0;
}

test('every table that names a conversation, a turn or a person shows people their own rows, or is known', async () => {
  const { rows: found } = await rows.database.system.raw<{ rows: { name: string }[] }>(
    `SELECT DISTINCT c.table_name AS name FROM information_schema.columns c
     WHERE c.table_schema = 'public' AND c.column_name IN ('conversation_id', 'turn_id', 'person', 'sender_turn_id')
       AND NOT EXISTS (SELECT FROM pg_policies p WHERE p.tablename = c.table_name AND p.policyname = 'seen_by_person')`,
  );
  expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(unread).sort());
});

describe.each(tables)('the rows of %s', (table) => {
  test('are seen by their person, by the workspace, and by nobody else', async () => {
    const all = await count(table);
    expect(all).toBeGreaterThan(0);
    expect(await count(table, { person: 'ann' })).toBe(all);
    expect(await count(table, { person: 'bob' })).toBe(0);
  });

  test('are neither changed nor deleted by another person', async () => {
    const scope = { workspaceId: place.workspaceId, person: 'bob', decides: true };
    const deleted = rows.database.inWorkspace(scope, (trx) =>
      trx(table)
        .where(table === 'pending_actions' ? { kind: 'question' } : {})
        .delete(),
    );
    expect(await deleted).toBe(0);
  });
});

test('a person who decides sees the tool calls that wait, and not the conversation around them', async () => {
  const decider = { person: 'bob', decides: true };
  expect(await count('pending_actions', decider)).toBeGreaterThan(0);
  for (const table of tables.filter((one) => one !== 'pending_actions'))
    expect(await count(table, decider)).toBe(0);
});

test.each<[string, string[], string[]]>([
  ['one person', ['bob'], ['bob']],
  ['everybody', [''], ['bob', 'carl']],
])('what is shared with %s is seen by them, with all that belongs to it', async (_, shared, seenBy) => {
  const share = (people: string[]) =>
    rows.database.inWorkspace(place.workspaceId, (trx: Knex) =>
      trx('conversations').update({ shared_with: people }),
    );
  await share(shared);
  for (const person of ['bob', 'carl'])
    for (const table of [
      'conversations',
      'turns',
      'messages',
      'events',
      'tool_calls',
      'files',
      'routine_runs',
    ])
      expect([person, table, (await count(table, { person })) > 0]).toEqual([
        person,
        table,
        seenBy.includes(person),
      ]);
  await share([]);
});

test('a name with quotes is a name, and an empty one is refused', async () => {
  expect(await count('conversations', { person: `' OR true; --\\` })).toBe(0);
  const scope = { workspaceId: place.workspaceId, person: `\\'; RESET holdfast.person; --`, decides: false };
  const statement = {
    name: 'count_of_name',
    text: 'SELECT id FROM conversations',
    parameters: [],
    row: { id: '' },
  };
  expect(await rows.database.pipelined(scope, (query) => query(statement, {}))).toEqual([]);
  const empty = rows.database.pipelined({ ...scope, person: '' }, (query) => query(statement, {}));
  await expect(empty).rejects.toThrow('person');
});

test('the next transaction of a session sees its own rows', async () => {
  const statement = {
    name: 'people_in_turn',
    text: 'SELECT person FROM conversations',
    parameters: [],
    row: { person: '' },
  };
  const { workspaceId } = place;
  const read = (scope: RowScope) => rows.database.pipelined(scope, (query) => query(statement, {}));
  for (let time = 0; time < 3; time++) {
    expect(await read({ workspaceId, person: 'bob', decides: true })).toEqual([]);
    expect(await read(workspaceId)).toEqual([{ person: 'ann' }]);
  }
});
