import { defineStatement, type Query } from './statement.ts';

/** The owner of a file; null for an actor limited to some conversations, when the file was uploaded for others too. */
const ownerOfFile = `CASE WHEN (SELECT current_conversations()) IS NULL
  OR conversations <@ (SELECT current_conversations()) THEN person END`;

/** The kinds of rows that requests name by id: the table of each, and the person to whom a row belongs. */
const kinds = {
  conversation: { table: 'conversations', owner: 'person' },
  turn: { table: 'turns' },
  message: { table: 'messages' },
  action: { table: 'pending_actions' },
  file: { table: 'files', owner: ownerOfFile },
  run: { table: 'routine_runs' },
  delivery: { table: 'webhook_deliveries' },
  swarm: { table: 'swarms', owner: 'person' },
} as const satisfies Record<string, { table: string; owner?: string }>;

/** The name of such a row in messages. */
export type SeenKind = keyof typeof kinds;

interface SeenRow {
  /** The normal form of the name of the person to whom the row itself belongs. */
  owner: string | null;
}

const statements = new Map(
  Object.entries(kinds).map(([kind, row]) => {
    const owner = 'owner' in row ? row.owner : 'NULL::text';
    const sql = `SELECT ${owner} AS owner FROM ${row.table} WHERE id = :id`;
    return [kind, defineStatement<{ id: string }, SeenRow>(`find_seen_${kind}`, sql)];
  }),
);

/** Finds a row that the transaction sees; null for one that it does not. */
export async function findSeen(query: Query, kind: SeenKind, id: string): Promise<SeenRow | null> {
  const statement = statements.get(kind);
  const [row] = statement ? await query(statement, { id }) : [];
  return row ?? null;
}
