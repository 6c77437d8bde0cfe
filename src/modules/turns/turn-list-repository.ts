import { messagePreviewCharacters, type ListedTurn } from '../../domain/turn.ts';
import { toPreview } from '../../domain/text.ts';
import type { TurnFilter } from './turn-filter.ts';
import { unsettledStatuses } from '../../domain/turn-status.ts';
import { nameKey } from '../../platform/database/name-key.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { pickConditions } from '../../platform/database/pick-conditions.ts';
import { defineStatement, type Query, type Statement } from '../../platform/database/statement.ts';
import { toTurn, type TurnRow } from './turn-rows.ts';

/** A page of the turns that a filter chooses, and the person whose conversations alone are wanted. */
export type TurnList = PageRequest & TurnFilter & { viewer: string | null };

/** The maximum number of turns that a page looks at, when it has a filter that no index serves. */
export const mostSearched = 1000;

/**
 * The bytes of messages that a search for a text reads for a page. To read one MiB takes about 30 ms. The turn with which the
 * sum is reached is still read.
 */
export const mostSearchedBytes = 4 * 1024 ** 2;

/** Lists of turns of one workspace. */
export function createTurnListRepository(query: Query) {
  return {
    /**
     * Newest first; for a viewer those in conversations of this person and in those that are shared with it. A page that has
     * looked at `mostSearched` turns, or read `mostSearchedBytes` of messages, ends there, with fewer turns or none, and its
     * cursor continues after them.
     */
    listTurns: async (list: TurnList): Promise<Page<ListedTurn>> => {
      const values = toBindings(list);
      if (!isSearch(values)) return toPage(await query(listTurns(values), values), list.limit, toListedTurn);
      const [rows, [last]] = await Promise.all([
        query(searchTurns(values), values),
        query(findLastSearched(values), values),
      ]);
      const page = toPage(rows, list.limit, toListedTurn);
      return { ...page, nextCursor: page.nextCursor ?? last?.id ?? null };
    },
  };
}

interface ListedRow extends TurnRow {
  /** The beginning of the message, with one character more than is shown when it is longer. */
  message: string | null;
}

function toListedTurn({ message, ...row }: ListedRow): ListedTurn {
  const hasText = message !== null && message.trim() !== '';
  return { ...toTurn(row), messagePreview: hasText ? toPreview(message, messagePreviewCharacters) : null };
}

function toBindings({ cursor, limit, viewer, ...filter }: TurnList) {
  return {
    agentId: filter.agentId ?? null,
    conversationId: filter.conversationId ?? null,
    person: filter.person ?? null,
    tag: filter.tag ?? null,
    outcome: filter.outcome ?? null,
    from: filter.from ?? null,
    to: filter.to ?? null,
    cursor: cursor ?? null,
    ...{ viewer, most: limit + 1 },
    tool: filter.tool ?? null,
    costFrom: filter.costFrom ?? null,
    costTo: filter.costTo ?? null,
    durationFrom: filter.durationFrom ?? null,
    pattern: filter.text === undefined ? null : `%${filter.text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
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

const isSearched = `m.role <> 'summary'`;

/**
 * The conditions of turns that no index serves. Those of other tables are scalar, so that they are asked for each turn until
 * the page is full: as a semijoin they could read all calls or messages of the workspace.
 */
const searchConditions = {
  tool: '(SELECT true FROM tool_calls k WHERE k.turn_id = t.id AND k.name = :tool::text LIMIT 1)',
  costFrom: 't.credits >= :costFrom::bigint',
  costTo: 't.credits < :costTo::bigint',
  durationFrom: `t.settled_at - t.created_at >= make_interval(secs => :durationFrom::double precision / 1000)`,
  pattern: `(SELECT true FROM messages m WHERE m.turn_id = t.id AND ${isSearched} AND m.text ILIKE :pattern::text LIMIT 1)`,
};

function isSearch(values: Bindings): boolean {
  return Object.keys(searchConditions).some((name) => values[name as keyof Bindings] !== null);
}

/** The outcome stands in the statement: the indexes of turns that did not complete, and of open ones, are used for these alone. */
function toOutcome(outcome: Bindings['outcome']): string {
  if (outcome === null) return '';
  if (outcome === 'open')
    return `AND t.settled_at IS NULL AND t.status IN ('${unsettledStatuses.join("', '")}')`;
  return `AND t.settled_at IS NOT NULL AND t.status = '${outcome}'`;
}

/** The first condition of the second part is that of its index. */
const ofViewer = [
  'AND c.person = :viewer::text',
  `AND cardinality(c.shared_with) > 0 AND c.shared_with && ARRAY[:viewer::text, ''] AND c.person IS DISTINCT FROM :viewer::text`,
];

/**
 * Reads turns in their order until the page is full: a join would read all turns of all conversations, and sort them. Every
 * turn has an ordinal above 0; the condition is that of the index.
 */
const inOrder = `FROM turns t
  WHERE t.ordinal > 0 AND (SELECT c.deleted_at IS NULL FROM conversations c WHERE c.id = t.conversation_id)`;

/** Reads all turns of the few conversations that are chosen. */
const byConversation =
  'FROM turns t JOIN conversations c ON c.id = t.conversation_id WHERE c.deleted_at IS NULL';

/** Selects turns newest first, until so many are read. */
function selectTurns(values: Bindings, most: string): string {
  const { viewer, tag, outcome } = values;
  const { text } = pickConditions(conditions, values);
  const from = viewer === null && tag === null ? inOrder : byConversation;
  const select = (seen: string) => `SELECT t.* ${from} AND t.workspace_id = current_workspace()
    ${seen} ${text} ${toOutcome(outcome)} ORDER BY t.created_at DESC, t.id DESC LIMIT ${most}`;
  if (viewer === null) return select('');
  const parts = ofViewer.map((seen) => `(${select(seen)})`).join(' UNION ALL ');
  return `SELECT * FROM (${parts}) AS seen ORDER BY created_at DESC, id DESC LIMIT ${most}`;
}

/** Names of statements have at most 63 characters, so a digit stands for each field. */
function toName(start: string, values: Bindings): string {
  const given = [...Object.keys(conditions), ...Object.keys(searchConditions)].map((name) =>
    values[name as keyof Bindings] === null ? 0 : 1,
  );
  return `${start}_${given.join('')}_${values.outcome ?? 'any'}${values.viewer === null ? '' : '_seen'}`;
}

/** Adds the beginnings of the messages to the turns of a page, and to no others. */
function withMessages(page: string): string {
  return `SELECT page.*, (
      SELECT left(m.text, ${messagePreviewCharacters + 1}) FROM messages m WHERE m.id = page.message_id
    ) AS message
    FROM (${page}) AS page ORDER BY page.created_at DESC, page.id DESC`;
}

function listTurns(values: Bindings): Statement<Bindings, ListedRow> {
  return defineStatement(toName('find_turns', values), withMessages(selectTurns(values, ':most')));
}

/** Selects the turns that a page looks at. */
function selectSearched(values: Bindings): string {
  return values.pattern === null ? selectTurns(values, String(mostSearched)) : selectRead(values);
}

/**
 * Selects the turns before which fewer bytes of messages stand than a page reads, newest first. The size of a text is known
 * without reading it. `is_part` is true when there may be more turns. `OFFSET` keeps Postgres from reading texts earlier.
 */
function selectRead(values: Bindings): string {
  const sized = `SELECT t.*, (SELECT coalesce(sum(octet_length(m.text)), 0) FROM messages m
    WHERE m.turn_id = t.id AND ${isSearched}) AS bytes FROM (${selectTurns(values, String(mostSearched))}) AS t`;
  const summed = `SELECT t.*, sum(bytes) OVER (ORDER BY created_at DESC, id DESC) - bytes AS bytes_before
    FROM (${sized}) AS t`;
  const all = `count(*) OVER () = ${mostSearched} OR max(bytes_before) OVER () >= ${mostSearchedBytes} AS is_part`;
  return `SELECT * FROM (SELECT t.*, ${all} FROM (${summed}) AS t) AS t
    WHERE bytes_before < ${mostSearchedBytes} OFFSET 0`;
}

function searchTurns(values: Bindings): Statement<Bindings, ListedRow> {
  const { text } = pickConditions(searchConditions, values);
  return defineStatement(
    toName('search_turns', values),
    withMessages(`SELECT * FROM (${selectSearched(values)}) AS t WHERE true ${text}
     ORDER BY created_at DESC, id DESC LIMIT :most`),
  );
}

/** Finds the turn at which a page ends that is not full; none when no turn is after it. */
function findLastSearched(values: Bindings): Statement<Bindings, { id: string }> {
  const order =
    values.pattern === null
      ? `ORDER BY t.created_at DESC, t.id DESC OFFSET ${mostSearched - 1}`
      : 'WHERE t.is_part ORDER BY t.created_at, t.id';
  return defineStatement(
    toName('last_searched', values),
    `SELECT t.id FROM (${selectSearched(values)}) AS t ${order} LIMIT 1`,
  );
}
