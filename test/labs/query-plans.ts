import type { Knex } from 'knex';
import pg from 'pg';
import type { Database } from '../../src/platform/database/connect-database.ts';
import type { Query } from '../../src/platform/database/statement.ts';
import { plannerSettings } from '../../src/platform/database/transactions.ts';

/** A statement as a repository sent it. */
export interface SentStatement {
  text: string;
  values: readonly unknown[];
  /** Prepared once for each session, so that Postgres may plan it without its values. */
  prepared: boolean;
}

/** One read of a table in a plan. */
export interface TableScan {
  table: string;
  kind: string;
  /** The columns by which an index finds the rows; none when it is read from an end. */
  keys: string[];
  /** The rows that were read and did not match. */
  discarded: number;
  /** All rows that were read. */
  read: number;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  'Actual Loops': number;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

class Undo extends Error {}

/** Functions of repositories, in a workspace or with `system` in all of them. */
export type RecordedWork =
  | { trx: (trx: Knex) => Promise<unknown> }
  | { system: (trx: Knex) => Promise<unknown> }
  | { query: (query: Query) => Promise<unknown> };

/** Runs repository functions, rolls back, and returns the statements that they sent. */
export async function recordStatements(
  database: Database,
  workspaceId: string,
  run: RecordedWork,
): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const record = async (trx: Knex, work: (trx: Knex) => Promise<unknown>) => {
    trx.on('query', (query: { sql: string; bindings: unknown[] }) =>
      sent.push({ text: query.sql, values: query.bindings, prepared: false }),
    );
    await work(trx);
    trx.removeAllListeners('query');
    throw new Undo();
  };
  const recorded =
    'trx' in run
      ? database.inWorkspace(workspaceId, (trx) => record(trx, run.trx))
      : 'system' in run
        ? database.system.transaction((trx) => record(trx, run.system))
        : database.transact(workspaceId, async (query) => {
            await run.query((statement, values) => {
              const bindings = statement.parameters.map((parameter) => values[parameter]);
              sent.push({ text: statement.text, values: bindings, prepared: true });
              return query(statement, values);
            });
            throw new Undo();
          });
  await recorded.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return sent;
}

interface Scope {
  role: string;
  workspaceId: string;
}

/** Plans and runs statements as a database role of Holdfast, and rolls them back. */
export async function explainStatement(
  url: string,
  { role, workspaceId }: Scope,
  { text, values, prepared }: SentStatement,
): Promise<TableScan[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`BEGIN; SET LOCAL ROLE ${role}; SET LOCAL holdfast.workspace_id = '${workspaceId}'`);
    if (!prepared) return await explain(client, { text, values: [...values] });
    // Executes the generic plan, as sessions do with each prepared statement: one for given values reads other rows.
    await client.query(`${plannerSettings}; PREPARE recorded AS ${text}`);
    const literals = values.map((value) => toLiteral(client, value)).join(', ');
    return await explain(client, { text: `EXECUTE recorded${literals && ` (${literals})`}` });
  } finally {
    await client.end();
  }
}

function toLiteral(client: pg.Client, value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'string') return client.escapeLiteral(value);
  if (typeof value === 'number' || typeof value === 'boolean') return `'${value}'`;
  if (Array.isArray(value)) return client.escapeLiteral(`{${value.map(String).join(',')}}`);
  throw new Error(
    `expected a text, a number or a boolean as the value of a statement, found: ${typeof value}`,
  );
}

async function explain(client: pg.Client, { text, values }: pg.QueryConfig): Promise<TableScan[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
    values,
  );
  return rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => listScans(Plan));
}

function listScans(node: PlanNode): TableScan[] {
  const inner = (node.Plans ?? []).flatMap(listScans);
  const { 'Node Type': kind, 'Relation Name': table } = node;
  if (table === undefined || kind === 'ModifyTable') return inner;
  const each = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const condition = node['Index Cond'] ?? node['Recheck Cond'] ?? '';
  const keys = [...condition.matchAll(/\(("?\w+"?) /g)].map(([, column = '']) => column);
  const { 'Actual Loops': loops, 'Actual Rows': matching } = node;
  // Policies that hide rows from people read nothing when the session names no person.
  const ran = loops === 0 ? 'Never executed' : kind;
  return [{ table, kind: ran, keys, discarded: each * loops, read: (each + matching) * loops }, ...inner];
}
