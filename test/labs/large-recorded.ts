type SqlId = (
  kind: 'turn' | 'message' | 'conversation' | 'agent' | 'version' | 'compaction',
  number: string,
) => string;

/** Rows that a table gets besides those that it has like all others. */
export interface AddedRows {
  table: string;
  count: number;
  columns: Record<string, string>;
}

const turnCount = 10;
const callsOfTurn = 100;
const eventsOfTurn = 1000;
const compactionsOfTurn = 20;

/**
 * A recorded conversation of ten turns and a fork that runs its last turn with the recorded results. Each recorded turn has
 * made a hundred model calls and a thousand events, and a summary before each fifth call. The rows of a table come after
 * its first `rowCount`.
 */
export function toRecordedRows(sqlId: SqlId, rowCount: number): AddedRows[] {
  const after = (number: string) => `${rowCount} + ${number}`;
  const conversation_id = sqlId('conversation', after('1'));
  const agent = { agent_id: sqlId('agent', '6000') };
  const version = { ...agent, agent_version_id: sqlId('version', '6000') };
  const started = { timeout_ms: '120000', started_at: 'now()', request_hash: `'hash'` };
  const turnOf = (rowsOfTurn: number) => sqlId('turn', after(`(n - 1) / ${rowsOfTurn} + 1`));
  const toPlace = (rowsOfTurn: number) => ({
    ...{ conversation_id, turn_id: turnOf(rowsOfTurn), turn_ordinal: `(n - 1) / ${rowsOfTurn} + 1` },
  });
  const summaryOf = (number: string) => sqlId('message', after(`${turnCount * callsOfTurn} + ${number}`));
  const numberInTurn = `((n - 1) % ${compactionsOfTurn} + 1)`;
  return [
    {
      ...{ table: 'conversations', count: 2 },
      columns: {
        id: sqlId('conversation', after('n')),
        ...agent,
        last_event_seq: '10000',
        last_turn_ordinal: '10',
      },
    },
    {
      ...{ table: 'turns', count: turnCount },
      columns: {
        ...{ id: sqlId('turn', after('n')), conversation_id, ...version, ordinal: 'n', ...started },
        ...{ characters_before: 'n', status: `'completed'`, settled_at: 'now()' },
      },
    },
    {
      ...{ table: 'turns', count: 1 },
      columns: {
        ...{
          id: sqlId('turn', after(`${turnCount} + 1`)),
          conversation_id: sqlId('conversation', after('2')),
        },
        ...{ ...version, ordinal: '1', ...started, characters_before: '0', status: `'running'` },
        recorded_from: sqlId('turn', after(`${turnCount}`)),
      },
    },
    {
      ...{ table: 'messages', count: turnCount * callsOfTurn },
      columns: {
        ...{
          id: sqlId('message', after('n')),
          ...toPlace(callsOfTurn),
          iteration: `(n - 1) % ${callsOfTurn} + 1`,
        },
        ...{ role: `'assistant'`, text: `'Some words'`, finish_reason: `'tool_calls'` },
      },
    },
    {
      ...{ table: 'messages', count: turnCount * compactionsOfTurn },
      columns: {
        ...{ id: summaryOf('n'), ...toPlace(compactionsOfTurn), iteration: `-1000000 + ${numberInTurn}` },
        ...{ role: `'summary'`, text: `'They spoke.'` },
      },
    },
    {
      ...{ table: 'compactions', count: turnCount * compactionsOfTurn },
      columns: {
        ...{
          id: sqlId('compaction', after('n')),
          ...toPlace(compactionsOfTurn),
          iteration: `5 * ${numberInTurn}`,
        },
        ...{
          number: '1',
          kind: `'summarize'`,
          from_ordinal: '1',
          through_ordinal: '1',
          references_through: '1',
        },
        ...{ message_id: summaryOf('n'), tokens_before: '100', tokens_after: '50' },
      },
    },
    {
      ...{ table: 'events', count: turnCount * eventsOfTurn },
      columns: {
        ...{ conversation_id, turn_id: turnOf(eventsOfTurn), seq: 'n' },
        type: `CASE WHEN n % 50 = 0 THEN 'context.compacted' ELSE 'tool.started' END`,
        payload: `jsonb_build_object('iteration', (n - 1) % ${eventsOfTurn} / 10 + 1, 'usage', '{}'::jsonb,
          'messageId', ${summaryOf('(n + 49) / 50')}, 'fromTurnId', ${sqlId('turn', after('1'))},
          'throughTurnId', ${sqlId('turn', after('1'))})`,
      },
    },
  ];
}
