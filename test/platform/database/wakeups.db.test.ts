import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  createNotifier,
  listenForWakeups,
  type Notifier,
  type Wakeups,
} from '../../../src/platform/database/wakeups.ts';
import { connectDatabase, type Database } from '../../../src/platform/database/connect-database.ts';
import type { Notification } from '../../../src/platform/database/transactions.ts';
import { hasWorker } from '../../../src/platform/database/worker-presence.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { eventually } from '../../labs/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../labs/postgres.ts';

let testDatabase: TestDatabase;
let database: Database;
let notifier: Notifier;
let wakeups: Wakeups;
const errors: unknown[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = connectDatabase({ url: testDatabase.url });
  notifier = createNotifier({ database, onError: (error) => errors.push(error) });
});

let lastSeqs: { id: string; lastSeq: number }[] = [];

function listen(pollMs?: number): Promise<Wakeups> {
  const listLastSeqs = (ids: string[]) => Promise.resolve(lastSeqs.filter(({ id }) => ids.includes(id)));
  return listenForWakeups({
    url: testDatabase.url,
    listLastSeqs,
    ...(pollMs === undefined ? {} : { pollMs }),
  });
}

beforeEach(async () => {
  lastSeqs = [];
  wakeups = await listen();
  onTestFinished(() => wakeups.close());
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Counts how often a reader of a conversation is woken. */
function countWakes(conversationId: string) {
  const counter = { wakes: 0 };
  const stop = wakeups.onEvents(conversationId, () => (counter.wakes += 1));
  return Object.assign(counter, { stop });
}

test('a reader is woken for its own conversation only', async () => {
  const mine = newId();
  const other = newId();
  const reader = countWakes(mine);
  const stranger = countWakes(other);
  notifier.events(mine);
  await eventually(
    () => reader.wakes,
    (wakes) => wakes === 1,
  );
  expect(stranger.wakes).toBe(0);
});

test('all readers of a conversation are woken until they stop', async () => {
  const id = newId();
  const first = countWakes(id);
  const second = countWakes(id);
  notifier.events(id);
  await eventually(
    () => [first.wakes, second.wakes],
    (wakes) => wakes.every((count) => count === 1),
  );
  first.stop();
  notifier.events(id);
  await eventually(
    () => second.wakes,
    (wakes) => wakes === 2,
  );
  expect(first.wakes).toBe(1);
});

test('many notifications of one moment are sent as few, with each id once', async () => {
  const ids = Array.from({ length: 1000 }, () => newId());
  const readers = ids.map(countWakes);
  for (let round = 0; round < 3; round++) for (const id of ids) notifier.events(id);
  await notifier.flush();
  await eventually(
    () => readers.filter(({ wakes }) => wakes > 0).length,
    (count) => count === ids.length,
  );
  expect(readers.every(({ wakes }) => wakes === 1)).toBe(true);
});

/** Opens a notifier, and lists the notifications of each statement that it sends. */
function openNotifier() {
  const sent: (readonly Notification[])[] = [];
  const notify = (notifications: readonly Notification[]) => Promise.resolve(void sent.push(notifications));
  return { own: createNotifier({ database: { notify }, onError: (error) => errors.push(error) }), sent };
}

test('the end of a turn is sent at once, with everything that was collected until then', async () => {
  const { own, sent } = openNotifier();
  own.events('first');
  await new Promise((resolve) => setImmediate(resolve));
  own.events('second');
  own.ended({ conversationId: 'third', turnId: 'turn' });
  await own.flush();
  own.events('fourth');
  await own.flush();

  expect(sent).toEqual([
    [['holdfast_events', 'first']],
    [['holdfast_events', 'second,third,turn']],
    [['holdfast_events', 'fourth']],
  ]);
});

test('an offer is sent at once, together with the events that were collected', async () => {
  const { own, sent } = openNotifier();
  own.events('before');
  await own.flush();
  own.events('a conversation');
  own.offer('a turn');
  own.offer('another turn');
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent.slice(1)).toEqual([
    [
      ['holdfast_events', 'a conversation'],
      ['holdfast_offers', 'a turn'],
      ['holdfast_offers', 'another turn'],
    ],
  ]);
});

test('what another statement takes along is not sent again', async () => {
  const { own, sent } = openNotifier();
  own.events('first');
  own.ended({ conversationId: 'second', turnId: 'turn' });
  own.stop('a turn');
  expect(own.take()).toEqual([
    ['holdfast_events', 'first,second,turn'],
    ['holdfast_stop', 'a turn'],
  ]);
  expect(own.take()).toEqual([]);
  await own.flush();
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual([]);
  own.events('third');
  await own.flush();
  expect(sent).toEqual([[['holdfast_events', 'third']]]);
});

test('a stop request reaches every listener with the id of the turn', async () => {
  const heard: string[] = [];
  wakeups.onStop((turnId) => heard.push(turnId));
  const undo = wakeups.onStop((turnId) => heard.push(`again ${turnId}`));
  const id = newId();
  notifier.stop(id);
  await eventually(
    () => heard.length,
    (length) => length === 2,
  );
  expect(heard).toEqual([id, `again ${id}`]);
  undo();
  notifier.stop(id);
  await eventually(
    () => heard.length,
    (length) => length === 3,
  );
  expect(heard[2]).toBe(id);
});

async function killListeners(): Promise<void> {
  const admin = new pg.Client(testDatabase.url);
  await admin.connect();
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'holdfast-wakeups' AND datname = current_database()`,
  );
  await admin.end();
}

test('a lost database session wakes every reader, and again when another one is open', async () => {
  const id = newId();
  const reader = countWakes(id);
  const heard: boolean[] = [];
  wakeups.onEvents(id, () => heard.push(wakeups.isListening()));
  expect(wakeups.isListening()).toBe(true);
  await killListeners();
  await eventually(
    () => reader.wakes,
    (wakes) => wakes === 2,
  );
  expect(heard).toEqual([false, true]);
  notifier.events(id);
  await eventually(
    () => reader.wakes,
    (wakes) => wakes === 3,
  );
});

test('a reader is woken for events whose notification was never sent', async () => {
  const polling = await listen(10);
  onTestFinished(() => polling.close());
  const [mine, other] = [newId(), newId()];
  const wakes = { mine: 0, other: 0 };
  polling.onEvents(mine, () => (wakes.mine += 1));
  polling.onEvents(other, () => (wakes.other += 1));
  lastSeqs = [
    { id: mine, lastSeq: 1 },
    { id: other, lastSeq: 1 },
  ];
  // Each is woken once after it came, since an event may have been stored before the first poll.
  await eventually(
    () => wakes,
    (count) => count.mine === 1 && count.other === 1,
  );
  lastSeqs = [
    { id: mine, lastSeq: 2 },
    { id: other, lastSeq: 1 },
  ];
  await eventually(
    () => wakes.mine,
    (count) => count === 2,
  );
  expect(wakes.other).toBe(1);
  // The conversation was deleted.
  lastSeqs = [{ id: other, lastSeq: 1 }];
  await eventually(
    () => wakes.mine,
    (count) => count === 3,
  );
});

test('the listener reconnects each time its database session is lost', async () => {
  const reader = countWakes(newId());
  for (const expected of [2, 4, 6]) {
    await killListeners();
    await eventually(
      () => reader.wakes,
      (wakes) => wakes === expected,
    );
  }
  expect(await countListeners()).toBe(1);
});

test('a listener that is closed while it is disconnected does not reconnect', async () => {
  const own = await listen();
  await killListeners();
  await own.close();
  const reader = countWakes(newId());
  await killListeners();
  await eventually(
    () => reader.wakes > 0 && wakeups.isListening(),
    (isBack) => isBack,
  );
  expect(await countListeners()).toBe(1);
});

async function countListeners(): Promise<number> {
  const { rows } = await database.system.raw<{ rows: { count: number }[] }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE application_name = 'holdfast-wakeups' AND datname = current_database()`,
  );
  return rows[0]?.count ?? 0;
}

test('a notification that cannot be sent is logged and has no other effect', async () => {
  const broken = connectDatabase({ url: 'postgres://nobody@127.0.0.1:9/nothing' });
  const failures: unknown[] = [];
  const lonely = createNotifier({ database: broken, onError: (error) => failures.push(error) });
  lonely.events(newId());
  await lonely.flush();
  expect(failures).toHaveLength(1);
  await broken.close();
});

test('no notification of these tests was lost', () => {
  expect(errors).toEqual([]);
});

test('flush also waits for notifications that are on their way', async () => {
  const asked = Promise.withResolvers<undefined>();
  const sent = Promise.withResolvers<undefined>();
  const notify = async () => {
    asked.resolve(undefined);
    await sent.promise;
  };
  const slow = createNotifier({ database: { notify }, onError: (error) => errors.push(error) });
  slow.events(newId());
  await asked.promise;
  let isFlushed = false;
  const flushed = slow.flush().then(() => (isFlushed = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isFlushed).toBe(false);
  sent.resolve(undefined);
  await flushed;
  expect(isFlushed).toBe(true);
});

test('a worker is seen by all others until its session ends, and again after a lost session', async () => {
  expect(await hasWorker(database.system)).toBe(false);
  const own = await listen();
  onTestFinished(() => own.close());
  await own.announceWorker();
  expect(await hasWorker(database.system)).toBe(true);
  await killListeners();
  const seen = () => hasWorker(database.system);
  await eventually(seen, (isSeen) => isSeen);
  await own.close();
  await eventually(seen, (isSeen) => !isSeen);
});
