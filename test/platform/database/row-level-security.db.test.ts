import type { Knex } from 'knex';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { tables as removedTables } from '../../../src/main/modules.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { chainAudit } from '../../labs/chain-audit.ts';
import { fillWorkspace, recordEvent } from '../../labs/fill-workspace.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createTestDatabase } from '../../labs/postgres.ts';
import { openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);
let mine: RowRef;
let theirs: RowRef;

/** Only functions of the owner write to these tables; of pending events the roles may insert the content. */
const guardedTables = ['audit_events', 'audit_heads', 'audit_lanes', 'audit_lanes_chained', 'audit_pending'];

const columns = await readColumns();
const tables = Object.keys(columns);

beforeAll(async () => {
  mine = await rows.createConversation();
  theirs = await rows.createConversation();
  await fillWorkspace(rows, mine);
  await fillWorkspace(rows, theirs);
  await chainAudit(rows.database.system);
  for (const { workspaceId } of [mine, theirs]) await rows.database.inWorkspace(workspaceId, recordEvent);
});

/** A column of a table that takes values. */
interface Column {
  name: string;
  isJson: boolean;
}

/** Reads the tables with rows of workspaces from the catalogue of a database, before the tests are listed. */
async function readColumns(): Promise<Record<string, Column[]>> {
  const { url, drop } = await createTestDatabase();
  const client = new pg.Client(url);
  try {
    await client.connect();
    const { rows: found } = await client.query<{ name: string; columns: Column[] }>(
      `SELECT table_name AS name, json_agg(json_build_object('name', column_name, 'isJson', data_type = 'jsonb'))
         FILTER (WHERE is_generated = 'NEVER' AND is_identity = 'NO') AS columns
       FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name
       HAVING bool_or(column_name = 'workspace_id') ORDER BY table_name`,
    );
    return Object.fromEntries(found.map((table) => [table.name, table.columns]));
  } finally {
    await client.end();
    await drop();
  }
}

function countByWorkspace(trx: Knex, table: string): Promise<{ workspace_id: string }[]> {
  return trx(table).distinct('workspace_id').select<{ workspace_id: string }[]>('workspace_id');
}

/** Runs as the program's role for workspaces, without saying which one. */
async function withoutWorkspace<Result>(run: (trx: Knex.Transaction) => Promise<Result>): Promise<Result> {
  return rows.database.inWorkspace(mine.workspaceId, async (trx) => {
    await trx.raw(`SET LOCAL holdfast.workspace_id = ''`);
    return run(trx);
  });
}

test('the checked tables are those of the catalogue, and the modules have no others', () => {
  expect(tables).toEqual(expect.arrayContaining([...guardedTables, 'agents', 'turns', 'messages']));
  const ofModules = removedTables.map(({ name }) => name);
  expect(ofModules.filter((name) => !tables.includes(name))).toEqual([]);
});

test('every table with rows of workspaces enforces its policies, also for its owner', async () => {
  const { rows: found } = await rows.database.system.raw<{ rows: { name: string }[] }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE a.attname = 'workspace_id' AND c.relkind = 'r' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
  );
  expect(found).toEqual([]);
});

/** JSON null and no value are both null in a row; the second one is written. */
function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

describe.each(tables)('the rows of %s', (table) => {
  test('are visible to the system role', async () => {
    const seen = (await countByWorkspace(rows.database.system, table)).map(({ workspace_id: id }) => id);
    expect(seen).toEqual(expect.arrayContaining([mine.workspaceId, theirs.workspaceId]));
  });

  test('are visible to their own workspace and to no other', async () => {
    const seen = await rows.database.inWorkspace(mine.workspaceId, (trx) => countByWorkspace(trx, table));
    expect(seen).toEqual([{ workspace_id: mine.workspaceId }]);
  });

  test('are not visible when no workspace is set', async () => {
    expect(await withoutWorkspace((trx) => countByWorkspace(trx, table))).toEqual([]);
  });

  test('cannot be written into another workspace', async () => {
    const row = await rows.database
      .system(table)
      .where({ workspace_id: theirs.workspaceId })
      .first<Record<string, unknown>>();
    const copy = Object.fromEntries(
      (columns[table] ?? []).map(({ name, isJson }) => [name, isJson ? toJson(row[name]) : row[name]]),
    );
    const insert = rows.database.inWorkspace(mine.workspaceId, (trx) => trx(table).insert(copy));
    await expect(insert).rejects.toThrow(/row-level security|permission denied/);
  });
});

test.each(guardedTables)(
  'rows of %s can be neither changed nor deleted by the roles of the program',
  async (table) => {
    const { system, inWorkspace } = rows.database;
    for (const run of [
      (work: (db: Knex) => Promise<unknown>) => work(system),
      (work: (db: Knex) => Promise<unknown>) => inWorkspace(mine.workspaceId, work),
    ]) {
      await expect(run((db) => db(table).update({ hash: '' }))).rejects.toThrow(/permission denied/);
      await expect(run((db) => db(table).delete())).rejects.toThrow(/permission denied/);
      await expect(run((db) => db.raw(`TRUNCATE ${table}`))).rejects.toThrow(
        /permission denied|must be owner/,
      );
    }
  },
);

test('an event is added to the audit log for no other workspace, and into the chain for none', async () => {
  const event = { workspace_id: theirs.workspaceId, id: newId(), type: 'test.written', payload: {} };
  const insert = (table: string) =>
    rows.database.inWorkspace(mine.workspaceId, (trx) => trx(table).insert(event));
  await expect(insert('audit_pending')).rejects.toThrow(/row-level security/);
  await expect(insert('audit_events')).rejects.toThrow(/permission denied/);
});

test.each(tables.filter((table) => !guardedTables.includes(table)))(
  'rows of %s of another workspace can be neither changed nor deleted',
  async (table) => {
    const where = { workspace_id: theirs.workspaceId };
    const touched = await rows.database.inWorkspace(mine.workspaceId, async (trx) => [
      await trx(table).where(where).update({ workspace_id: mine.workspaceId }),
      await trx(table).where(where).delete(),
    ]);
    expect(touched).toEqual([0, 0]);
  },
);

test('a row cannot be moved into another workspace', async () => {
  const move = rows.database.inWorkspace(mine.workspaceId, (trx) =>
    trx('agents').where({ id: mine.agentId }).update({ workspace_id: theirs.workspaceId }),
  );
  await expect(move).rejects.toThrow(/row-level security/);
});

test('an event cannot be added to a conversation of another workspace', async () => {
  const append = rows.database.inWorkspace(mine.workspaceId, (trx) =>
    trx.raw(`SELECT append_events(?, ?, '[{"type": "x", "payload": {}}]', 0)`, [
      theirs.conversationId,
      newId(),
    ]),
  );
  await expect(append).rejects.toThrow();
});

test('prepared statements of one database session see only the workspace of their transaction', async () => {
  const statement = {
    name: 'test_conversations',
    text: 'SELECT workspace_id FROM conversations',
    parameters: [],
    row: { workspace_id: '' },
  };
  for (const { workspaceId } of [mine, theirs, mine]) {
    const seen = await rows.database.transact(workspaceId, (query) => query(statement, {}));
    expect(seen).toEqual([{ workspace_id: workspaceId }]);
    const pipelined = await rows.database.pipelined(workspaceId, (query) => query(statement, {}));
    expect(pipelined).toEqual(seen);
  }
});

test.each([`' OR true --`, 'not-a-uuid'])('an invalid workspace id (%j) is refused', async (id) => {
  const count = (trx: Knex) => trx('conversations').count();
  await expect(rows.database.inWorkspace(id, count).then((found) => found[0])).rejects.toThrow();
  await expect(
    rows.database.pipelined(id, (query) => query({ name: 'x', text: 'SELECT 1', parameters: [] }, {})),
  ).rejects.toThrow();
});

describe('the rows of the workspaces table', () => {
  test('are visible one at a time', async () => {
    const seen = await rows.database.inWorkspace(mine.workspaceId, (trx) => trx('workspaces').pluck('id'));
    expect(seen).toEqual([mine.workspaceId]);
    expect(await withoutWorkspace((trx) => trx('workspaces').pluck('id'))).toEqual([]);
  });

  test('cannot be created or changed by a workspace', async () => {
    const insert = rows.database.inWorkspace(mine.workspaceId, (trx) =>
      trx('workspaces').insert({ id: newId(), name: 'Mine too' }),
    );
    await expect(insert).rejects.toThrow(/permission denied/);
    const update = rows.database.inWorkspace(mine.workspaceId, (trx) =>
      trx('workspaces').update({ name: 'x' }),
    );
    await expect(update).rejects.toThrow(/permission denied/);
  });
});
