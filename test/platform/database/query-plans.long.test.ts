import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnectorRepository } from '../../../src/modules/connections/connectors/connector-repository.ts';
import { connectDatabase, type Database } from '../../../src/platform/database/connect-database.ts';
import type { Query } from '../../../src/platform/database/statement.ts';
import { createRecordRemovalRepository } from '../../../src/modules/retention/record-removal-repository.ts';
import { createTurnRemovalRepository } from '../../../src/modules/retention/turn-removal-repository.ts';
import { createRoutineSweepRepository } from '../../../src/modules/routines/routine-sweep-repository.ts';
import { createConversationRepository } from '../../../src/modules/turns/conversations/conversation-repository.ts';
import { createStoredResultRepository } from '../../../src/modules/turns/calls/stored-result-repository.ts';
import { createToolCallRepository } from '../../../src/modules/turns/calls/tool-call-repository.ts';
import { createTurnQueue } from '../../../src/modules/turns/messages/turn-queue.ts';
import { createTurnAnswerRepository } from '../../../src/modules/turns/turn-answer-repository.ts';
import { createTurnContextRepository } from '../../../src/modules/turns/context/turn-context-repository.ts';
import { findRepeated, insertTurn } from '../../../src/modules/turns/store-turn.ts';
import { createSweepRepository } from '../../../src/modules/turns/turn-sweep-repository.ts';
import { mostSearched } from '../../../src/modules/turns/turn-list-repository.ts';
import { createTurnRepository } from '../../../src/modules/turns/turn-repository.ts';
import { createApiKeyRepository } from '../../../src/modules/workspaces/keys/api-key-repository.ts';
import { createDeliveryRepository } from '../../../src/modules/webhooks/deliveries/delivery-repository.ts';
import { createDeliverySweepRepository } from '../../../src/modules/webhooks/deliveries/delivery-sweep-repository.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { fillLargeTables, fillTables } from '../../labs/fill-large-tables.ts';
import {
  idleConversation,
  openActionCount,
  toRowId,
  largeTables,
  largeWorkspace,
  rowCount,
  runningConversation,
} from '../../labs/large-tables.ts';
import { createTestDatabase, type TestDatabase } from '../../labs/postgres.ts';
import { openLog, readNewChanges, watchesOfChanges } from '../../labs/change-statements.ts';
import { listsOfCredits, stepsOfCredits, sweepsOfCredits } from '../../labs/credit-statements.ts';
import {
  explainStatement,
  recordStatements,
  type RecordedWork,
  type TableScan,
} from '../../labs/query-plans.ts';
import { looksAtContexts, requestsOfFiles, stepsOfFiles, sweepsOfFiles } from '../../labs/file-statements.ts';
import {
  figuresOfTurns,
  listsOfConversations,
  listsOfTurns,
  searchesOfTurns,
} from '../../labs/finding-statements.ts';
import { createAnswer, createToolCall } from '../../labs/turn-rows.ts';
import { stepsOfRoutines } from '../../labs/routine-statements.ts';
import { stepsOfImports, stepsOfReplays } from '../../labs/replay-statements.ts';
import { readsOfStreams, statementsOfStreams } from '../../labs/stream-statements.ts';
import { stepsOfSwarms, takeSilentSwarms } from '../../labs/swarm-statements.ts';
import { deliveriesOfTriggers, triggersOfSystem } from '../../labs/trigger-statements.ts';
import { listsOfWorkspace, waitsOfTurns } from '../../labs/waiting-statements.ts';

/**
 * How many rows of a large table a statement may read and discard. An index scan with a filter can be as slow as a
 * sequential scan, and its plan does not show that; so the statements are run, and the rows counted.
 */
const mostDiscarded = 100;

/**
 * How many rows of an index a statement may read that asks for no value in it. A join can read a whole
 * table so, and discard none of its rows by a filter.
 */
const mostFromEnd = 1000;

/** How many rows of a large table a list of turns may read for a page of twenty. */
const mostForList = 100;

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = connectDatabase({ url: testDatabase.url });
  await fillLargeTables(testDatabase.url);
  await openLog(database);
}, 300_000);

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** The scans of all statements that repositories send in a workspace. */
async function scansOf(work: RecordedWork, url = testDatabase.url): Promise<TableScan[]> {
  const role = 'system' in work ? 'holdfast_system' : 'holdfast_app';
  const sent = await recordStatements(database, largeWorkspace, work);
  expect(sent).not.toEqual([]);
  const scans: TableScan[] = [];
  for (const statement of sent)
    scans.push(...(await explainStatement(url, { role, workspaceId: largeWorkspace }, statement)));
  return scans;
}

function expectIndexScans(scans: TableScan[], fromEnd = mostFromEnd): void {
  const large = scans.filter(({ table }) => largeTables.includes(table));
  expect(large).not.toEqual([]);
  expect(large.filter(({ kind, discarded }) => kind === 'Seq Scan' || discarded > mostDiscarded)).toEqual([]);
  expect(large.filter(({ keys, read }) => keys.length === 0 && read > fromEnd)).toEqual([]);
}

/** Checks that no scan of a large table reads more rows than so many, whether they match or not. */
function expectFewRead(scans: TableScan[], most: number): void {
  const large = scans.filter(({ table }) => largeTables.includes(table));
  expect(large).not.toEqual([]);
  expect(large.filter(({ kind, read }) => kind === 'Seq Scan' || read > most)).toEqual([]);
}

const page = { limit: 20 };
const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
const { turnId, conversationId } = runningConversation;
const [webhookId, deliveryId] = [toRowId('webhook', 5), toRowId('delivery', 50_005)];
const submission = {
  turnId: newId(),
  requestHash: 'hash',
  conversationId: idleConversation.conversationId,
  input: { message: 'Hello', onBusy: 'reject' as const },
};
const end = {
  id: runningConversation.toolCallId,
  status: 'succeeded' as const,
  result: 'Done',
  event: { type: 'tool.executed', payload: {} } as never,
  audit: { type: 'tool.executed', payload: {} },
};

const failedAttempt = {
  iteration: 1,
  index: null,
  attempt: 1,
  error: { code: 'INTERNAL', message: 'Broken.' },
  failedAt: new Date().toISOString(),
};

/** They run once or more in each step of each turn. */
const stepsOfTurns: [string, (query: Query) => Promise<unknown>][] = [
  ['the step of a turn', (query) => createTurnContextRepository(query).findStep(turnId, 2)],
  [
    'the messages of a turn',
    (query) => createTurnContextRepository(query).listContext(turnId, { iteration: 2 }),
  ],
  [
    'storing an answer',
    (query) =>
      createTurnAnswerRepository(query).storeAnswer(
        createAnswer(turnId, { iteration: 2, toolCalls: [createToolCall(0)] }),
      ),
  ],
  [
    'claiming a tool call',
    (query) => createToolCallRepository(query).claim({ turnId, iteration: 1, index: 0 }),
  ],
  [
    'storing the answer that ends a turn',
    (query) =>
      createTurnAnswerRepository(query).storeAnswer(
        createAnswer(turnId, { iteration: 2, outcome: 'completed' }),
      ),
  ],
  [
    'finishing a tool call with a price',
    (query) => createToolCallRepository(query).finish({ ...end, creditsUsed: '10' }),
  ],
  [
    'reading a stored result',
    (query) => createStoredResultRepository(query).findOfConversation(turnId, runningConversation.toolCallId),
  ],
  ['finishing a tool call', (query) => createToolCallRepository(query).finish(end)],
  [
    'moving the deadline of a turn',
    (query) => createTurnContextRepository(query).extendDeadline(turnId, Date.now()),
  ],
  ['noting a model call that hung', (query) => createTurnAnswerRepository(query).noteHungCall(turnId, 1)],
  [
    'noting an attempt that failed',
    (query) => createTurnAnswerRepository(query).noteFailedAttempt(turnId, failedAttempt),
  ],
  [
    'starting the next turn',
    (query) => createTurnAnswerRepository(query).promoteNextTurn(idleConversation.conversationId),
  ],
  ['starting a turn that waits for a place', (query) => createTurnQueue(query).promoteWaitingTurn()],
];

describe('no large table is read sequentially by', () => {
  test.each(stepsOfTurns)('%s', async (_, query) => expectIndexScans(await scansOf({ query })));

  test.each(waitsOfTurns)('%s', async (_, query) => expectIndexScans(await scansOf({ query })));

  test.each(stepsOfCredits)('%s', async (_, query) => expectIndexScans(await scansOf({ query })));

  test.each([...listsOfCredits, ...listsOfConversations, ...requestsOfFiles])('%s', async (_, trx) =>
    expectIndexScans(await scansOf({ trx })),
  );

  test.each(sweepsOfCredits)('%s', async (_, system) => expectIndexScans(await scansOf({ system })));

  // A hundred uploads that no message names are among fifty thousand others.
  test.each(sweepsOfFiles)('%s', async (_, system) => expectIndexScans(await scansOf({ system }), rowCount));

  test.each([...stepsOfFiles, ...looksAtContexts])('%s', async (_, query) =>
    expectIndexScans(await scansOf({ query })),
  );

  // By their workspace alone all turns would be found, and none discarded.
  test.each(listsOfTurns)('%s', async (_, query) => {
    const scans = await scansOf({ query });
    expectIndexScans(scans);
    expectFewRead(scans, mostForList);
  });

  test.each(figuresOfTurns)('%s', async (_, trx) => expectFewRead(await scansOf({ trx }), mostForList));

  // There are two calls and two messages of each turn.
  test.each(searchesOfTurns)('%s', async (_, query) => {
    expectFewRead(await scansOf({ query }), 2 * mostSearched);
  });

  test.each(stepsOfSwarms)('%s', async (_, query) => expectIndexScans(await scansOf({ query })));

  // They run for each request of a client, and for each wake-up of each reader of a stream.
  test.each<[string, (query: Query) => Promise<unknown>]>([
    ['submitting a turn', (query) => insertTurn(query, submission)],
    ['submitting a turn again', (query) => findRepeated(query, { ...submission, turnId })],
    ['starting a turn from what is stored', (query) => createTurnRepository(query).getStart(turnId)],
    ['a turn with its tool calls', (query) => createTurnRepository(query).getTurnDetails(turnId)],
    ['cancelling a turn', (query) => createTurnRepository(query).requestCancel(turnId)],
    [
      'the turns of a conversation',
      (query) => createTurnRepository(query).listTurns({ ...page, conversationId }),
    ],
    ...readsOfStreams,
  ])('%s', async (_, query) => expectIndexScans(await scansOf({ query })));

  test.each(statementsOfStreams)('%s', async (_, system) => expectIndexScans(await scansOf({ system })));

  test.each<[string, (trx: Knex) => Promise<unknown>]>([
    [
      'the conversations of an agent',
      (trx) =>
        createConversationRepository(trx).listConversations({ ...page, agentId: toRowId('agent', 5000) }),
    ],
    [
      'removing the turns of a conversation',
      (trx) => createTurnRemovalRepository(trx).removeTurns({ conversationId }, 50),
    ],
    ['removing old turns', (trx) => createTurnRemovalRepository(trx).removeTurns({ before: tomorrow }, 50)],
    [
      'the deliveries of a webhook by their status',
      (trx) => createDeliveryRepository(trx).listDeliveries({ ...page, webhookId, status: 'failed' }),
    ],
    [
      'the delivery that asked for a decision',
      (trx) => createDeliveryRepository(trx).findAsked(webhookId, toRowId('action', 5)),
    ],
    ['a delivery that is due', (trx) => createDeliveryRepository(trx).findDue(deliveryId)],
    [
      'a look for newer deliveries that arrived',
      (trx) => createDeliveryRepository(trx).hasLaterArrival(webhookId, deliveryId),
    ],
    ['removing old deliveries', (trx) => createRecordRemovalRepository(trx).removeDeliveries(tomorrow, 50)],
    [
      'removing old runs of routines',
      (trx) => createRecordRemovalRepository(trx).removeRoutineRuns(yesterday, 50),
    ],
    ['connectors with their tools', (trx) => createConnectorRepository(trx).listConnectors(page)],
  ])('%s', async (_, trx) => expectIndexScans(await scansOf({ trx })));

  test.each(deliveriesOfTriggers)('%s', async (_, trx) => expectIndexScans(await scansOf({ trx })));

  test.each(triggersOfSystem)('%s of all workspaces', async (_, system) =>
    expectIndexScans(await scansOf({ system })),
  );

  // Those of the last transaction, each of which has a thousand.
  test('following the changes of a workspace reads new notes only', async () => {
    const scans = await scansOf({ query: readNewChanges });
    expect(scans.filter(({ table }) => table === 'changes')).toMatchObject([{ read: 1_000 }]);
  });

  test.each(watchesOfChanges)('%s', async (_, system) =>
    expectIndexScans(await scansOf({ system }), 5 * mostFromEnd),
  );

  // A page of an export walks the conversations in their order until it is full.
  test.each([...stepsOfReplays, ...stepsOfImports])('%s', async (name, query) =>
    expectIndexScans(
      await scansOf({ query }),
      name === 'a page of an export' ? 5 * mostFromEnd : mostFromEnd,
    ),
  );

  test.each(stepsOfRoutines)('%s', async (_, query) => expectIndexScans(await scansOf({ query })));

  test('taking runs of routines of all workspaces that nobody looks at reads no large table sequentially', async () => {
    const take = (trx: Knex) => createRoutineSweepRepository(trx).takeSilent({ graceMs: 5_000, limit: 100 });
    expectIndexScans(await scansOf({ system: take }));
  });

  test('taking overdue deliveries of all workspaces reads no large table sequentially', async () => {
    const take = (trx: Knex) => createDeliverySweepRepository(trx).take(20);
    expectIndexScans(await scansOf({ system: take }));
  });

  test('listing turns of all workspaces that wait for people reads their own actions only', async () => {
    const list = (trx: Knex) => createSweepRepository(trx).takeWaiting({ graceMs: 0, limit: 500 });
    const scans = await scansOf({ system: list });

    const large = scans.filter(({ table }) => largeTables.includes(table));
    expect(large.filter(({ kind }) => kind === 'Seq Scan')).toEqual([]);
    expect(large.filter(({ discarded }) => discarded > openActionCount)).toEqual([]);
  });

  test('taking swarms of all workspaces in which nothing happens reads no large table sequentially', async () => {
    expectIndexScans(await scansOf({ system: takeSilentSwarms }));
  });

  test('finding an API key before its workspace is known reads no large table sequentially', async () => {
    const find = (trx: Knex) => createApiKeyRepository(trx).findApiKey(toRowId('apiKey', 5000));
    expectIndexScans(await scansOf({ system: find }));
  });
});

// Sessions keep the plans that they made while the tables were new.
describe.each([0, 20])('without statistics, no row of %d is found by its workspace alone by', (count) => {
  let newDatabase: TestDatabase;

  beforeAll(async () => {
    newDatabase = await createTestDatabase();
    if (count > 0) await fillTables(newDatabase.url, count);
  });

  afterAll(() => newDatabase.drop());

  test.each([
    ...stepsOfTurns,
    ...stepsOfCredits,
    ...stepsOfFiles,
    ...stepsOfImports,
    ...waitsOfTurns.filter(([name]) => !listsOfWorkspace.has(name)),
  ])('%s', async (_, query) => {
    const scans = await scansOf({ query }, newDatabase.url);

    const large = scans.filter(({ table }) => largeTables.includes(table));
    expect(large).not.toEqual([]);
    expect(large.filter(({ kind }) => kind === 'Seq Scan')).toEqual([]);
    expect(large.filter(({ keys }) => keys.join() === 'workspace_id')).toEqual([]);
  });
});
