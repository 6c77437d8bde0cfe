import { expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../../src/domain/scope.ts';
import { mostSearchedBytes } from '../../../src/modules/turns/turn-list-repository.ts';
import { createTextSearches, textSearchesAtOnce } from '../../../src/modules/turns/text-searches.ts';
import { openConversation, startApi, startTurn, type Api } from '../../labs/api-lab.ts';
import { eventually } from '../../labs/eventually.ts';

/** Starts an API in which a search waits for a slot for so long. */
async function start(waitMs: number): Promise<Api> {
  const api = await startApi({ searchTexts: createTextSearches({ waitMs }) });
  onTestFinished(api.stop);
  return api;
}

/** Lets all statements that read messages wait until the returned function is called. */
async function blockMessages({ database }: Api): Promise<() => Promise<void>> {
  const trx = await database.system.transaction();
  await trx.raw('LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
  const release = async () => {
    if (!trx.isCompleted()) await trx.rollback();
  };
  onTestFinished(release);
  return release;
}

/** Counts the statements that wait for the messages. */
async function countSearches({ database }: Api): Promise<number> {
  const { rows } = await database.system.raw<{ rows: { count: number }[] }>(
    `SELECT count(*) FROM pg_locks WHERE relation = 'messages'::regclass AND NOT granted`,
  );
  return rows[0]?.count ?? 0;
}

const search = (api: Api, key = api.key) => api.call('GET', '/api/turns?text=needle', { key });

test('one search of a workspace runs at a time, and others are refused when they have waited', async () => {
  const api = await start(200);
  await openConversation(api);
  const release = await blockMessages(api);
  const answers = Array.from({ length: 30 }, () => search(api));
  let refused = 0;
  for (const answer of answers) void answer.then(({ status }) => (refused += status === 429 ? 1 : 0));
  await eventually(
    () => Promise.resolve(refused),
    (count) => count === 29,
  );
  expect(await countSearches(api)).toBe(1);
  // The connections of the pool are free: each of these requests uses one.
  for (const path of ['/api/conversations', '/api/agents'])
    expect((await api.call('GET', path)).status).toBe(200);
  await release();
  const ended = await Promise.all(answers);
  expect(ended.filter(({ status }) => status === 200)).toHaveLength(1);
  const [one] = ended.filter(({ status }) => status === 429);
  expect(one?.error.code).toBe('RATE_LIMITED');
  expect(Number(one?.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('searches of many workspaces leave connections to others, and all are answered', async () => {
  const api = await start(60_000);
  const release = await blockMessages(api);
  const keys = await Promise.all(
    Array.from({ length: textSearchesAtOnce + 3 }, async () => (await api.createWorkspace()).key),
  );
  const answers = keys.flatMap((key) => [search(api, key), search(api, key)]);
  await eventually(
    () => countSearches(api),
    (count) => count === textSearchesAtOnce,
  );
  const others = Array.from({ length: 20 }, () => api.call('GET', '/api/conversations'));
  for (const { status } of await Promise.all(others)) expect(status).toBe(200);
  expect(await countSearches(api)).toBe(textSearchesAtOnce);
  await release();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
});

test('a search for a text reads a bounded part of long messages for each page, and continues after it', async () => {
  const api = await start(60_000);
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId, 'A needle');
  const characters = 195_000;
  await api.database.system.raw(
    `WITH long AS (
       INSERT INTO turns (id, workspace_id, conversation_id, agent_id, agent_version_id, ordinal, request_hash, status,
         timeout_ms, created_at, settled_at)
       SELECT gen_random_uuid(), t.workspace_id, t.conversation_id, t.agent_id, t.agent_version_id, t.ordinal + n, 'hash',
         'completed', 1, t.created_at + n * interval '1 second', t.created_at + n * interval '1 second'
       FROM turns t, generate_series(1, 60) AS n WHERE t.workspace_id = :workspaceId RETURNING *)
     INSERT INTO messages (id, workspace_id, conversation_id, turn_id, turn_ordinal, iteration, role, text)
     SELECT gen_random_uuid(), workspace_id, conversation_id, id, ordinal, 0, 'user', repeat('x', :characters) FROM long`,
    { workspaceId: api.workspaceId, characters },
  );
  const pages: { found: string[]; last: number }[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { data } = await api.call('GET', `/api/turns?text=NEEDLE${after}`);
    const row = await api.database
      .system('turns')
      .where({ id: data.nextCursor ?? turnId })
      .first<{ ordinal: number }>('ordinal');
    pages.push({ found: data.turns.map(({ id }) => id), last: row.ordinal });
    cursor = data.nextCursor;
  } while (cursor !== null);
  expect(pages.map(({ found }) => found)).toEqual([[], [], [turnId]]);
  const turnsOfPage = Math.ceil(mostSearchedBytes / characters);
  expect(pages.map(({ last }) => last)).toEqual([62 - turnsOfPage, 62 - 2 * turnsOfPage, 1]);
});

test('a search by a key that may not read conversations waits for nothing', async () => {
  const api = await start(60_000);
  const key = await api.createKey(
    api.workspaceId,
    scopes.filter((scope) => scope !== 'conversations:read'),
  );
  expect((await search(api, key)).error.code).toBe('FORBIDDEN');
});
