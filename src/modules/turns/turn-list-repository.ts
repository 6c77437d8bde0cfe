import type { Turn } from '../../domain/turn.ts';
import type { TurnFilter } from './turn-filter.ts';
import { unsettledStatuses } from '../../domain/turn-status.ts';
import { nameKey } from '../../platform/database/name-key.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { pickConditions } from '../../platform/database/pick-conditions.ts';
import { defineStatement, type Query, type Statement } from '../../platform/database/statement.ts';
import { toTurn, type TurnRow } from './turn-rows.ts';

/** A page of the turns that a filter chooses, and the person whose conversations alone are wanted. */
export type TurnList = PageRequest & TurnFilter & { viewer: string | null };

/** Lists of turns of one workspace. */
export function createTurnListRepository(query: Query) {
  return {
    /** Newest first; for a viewer those in conversations of this person and in those that are shared with it. */
    listTurns: async (list: TurnList): Promise<Page<Turn>> => {
      const values = toBindings(list);
      return toPage(await query(listTurns(values), values), list.limit, toTurn);
    },
  };
}

function toBindings({ agentId, conversationId, person, tag, outcome, from, to, ...list }: TurnList) {
  return {
    agentId: agentId ?? null,
    conversationId: conversationId ?? null,
    person: person ?? null,
    tag: tag ?? null,
    outcome: outcome ?? null,
    from: from ?? null,
    to: to ?? null,
    cursor: list.cursor ?? null,
    viewer: list.viewer,
    most: list.limit + 1,
  };
}

type Bindings = ReturnType<typeof toBindings>;

/** The ids of turns may come from hashes and have no order. */
const conditions = {
  agentId: 't.agent_id = :agentId::uuid',
  conversationId: 't.conversation_id = :conversationId::uuid',
  person: `t.person = ${nameKey(':person::text')}`,
  tag: 'cardinality(c.tags) > 0 AND c.tags @> ARRAY[:tag::text]',
  from: 't.created_at >= :from::timestamptz',
  to: 't.created_at < :to::timestamptz',
  // The first condition is that of the indexes.
  cursor: `t.created_at <= (SELECT k.created_at FROM turns k WHERE k.id = :cursor::uuid)
    AND (t.created_at, t.id) < (SELECT k.created_at, k.id FROM turns k WHERE k.id = :cursor::uuid)`,
};

/** The outcome stands in the statement: the index of turns that did not complete is used for these alone. */
function toOutcome(outcome: Bindings['outcome']): string {
  if (outcome === null) return '';
  if (outcome === 'open') return `AND t.status IN ('${unsettledStatuses.join("', '")}')`;
  return `AND t.settled_at IS NOT NULL AND t.status = '${outcome}'`;
}

/** The first condition of the second part is that of its index. */
const ofViewer = [
  'AND c.person = :viewer::text',
  `AND cardinality(c.shared_with) > 0 AND c.shared_with && ARRAY[:viewer::text, ''] AND c.person IS DISTINCT FROM :viewer::text`,
];

/** Reads turns in their order until the page is full: a join would read all turns of all conversations, and sort them. */
const inOrder = `FROM turns t
  WHERE (SELECT c.deleted_at IS NULL FROM conversations c WHERE c.id = t.conversation_id)`;

/** Reads all turns of the few conversations that are chosen. */
const byConversation =
  'FROM turns t JOIN conversations c ON c.id = t.conversation_id WHERE c.deleted_at IS NULL';

function listTurns(values: Bindings): Statement<Bindings, TurnRow> {
  const { viewer, tag, outcome } = values;
  const { text } = pickConditions(conditions, values);
  // Names of statements have at most 63 characters, so a digit stands for each field.
  const given = Object.keys(conditions).map((name) => (values[name as keyof Bindings] === null ? 0 : 1));
  const from = viewer === null && tag === null ? inOrder : byConversation;
  const select = (seen: string) => `SELECT t.* ${from} AND t.workspace_id = current_workspace()
    ${seen} ${text} ${toOutcome(outcome)} ORDER BY t.created_at DESC, t.id DESC LIMIT :most`;
  const name = `find_turns_${given.join('')}_${outcome ?? 'any'}`;
  if (viewer === null) return defineStatement(name, select(''));
  const parts = ofViewer.map((seen) => `(${select(seen)})`).join(' UNION ALL ');
  return defineStatement(
    `${name}_seen`,
    `SELECT * FROM (${parts}) AS seen ORDER BY created_at DESC, id DESC LIMIT :most`,
  );
}
