import { beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../src/domain/scope.ts';
import { turnFilterOutcomes } from '../../../src/modules/turns/turn-filter.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { plainAgent, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { createRandom } from '../../labs/random.ts';
import { runCli } from '../../labs/run-cli.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

/** The facts of a turn by which lists find it. */
interface KnownTurn {
  id: string;
  agentId: string;
  conversationId: string;
  person: string | null;
  tag: string | null;
  status: string;
  createdAt: Date;
  message: string;
  tool: string | null;
  credits: number;
  /** Null for a turn that has not ended. */
  durationMs: number | null;
}

const people = ['Ann', 'Bob', null] as const;
const tags = ['vip', 'refund', null] as const;
const outcomes = ['completed', 'failed', 'cancelled', 'running'] as const;
const tools = ['search', 'mail', null] as const;
const messages = ['Hello', 'Give 100% back', 'A_b'] as const;

interface Workspace {
  workspaceId: string;
  key: string;
}

/** Holds thirty conversations of two agents, with two turns each, at some of nine hours. */
async function fill({ workspaceId, key }: Workspace, seed: number): Promise<KnownTurn[]> {
  const random = createRandom(seed);
  const pick = <One>(ones: readonly One[]): One => ones[random(ones.length)] as One;
  const agents = await Promise.all(
    ['One', 'Two'].map(async (name) => {
      const made = await api.call('POST', '/api/agents', { key, body: { ...plainAgent, name } });
      return made.data.agent.id;
    }),
  );
  const known: KnownTurn[] = [];
  for (let number = 0; number < 30; number += 1) {
    const [agentId, person, tag] = [pick(agents), pick(people), pick(tags)];
    const body = { agentId, ...(tag === null ? {} : { tags: [tag] }) };
    const { conversation } = (await api.call('POST', '/api/conversations', { key, body })).data;
    for (const first of [true, false]) {
      const message = pick(messages);
      const path = `/api/conversations/${conversation.id}/turns`;
      const named = person === null ? {} : { actingFor: pick([person, person.toUpperCase()]) };
      const { turn } = (await api.call('POST', path, { key, body: { message, onBusy: 'enqueue', ...named } }))
        .data;
      const status = first ? pick(outcomes.slice(0, 3)) : pick(outcomes);
      // Several turns have the same time.
      const createdAt = new Date(Date.UTC(2026, 0, 1, random(9)));
      const durationMs = status === 'running' ? null : random(3) * 1000;
      const settled = durationMs === null ? {} : { settled_at: new Date(createdAt.getTime() + durationMs) };
      const [tool, credits] = [pick(tools), random(4) * 100];
      await api.database
        .system('turns')
        .where({ id: turn.id })
        .update({ status, created_at: createdAt, credits, ...settled });
      if (tool !== null) await insertCall(turn, tool);
      const facts = { agentId, conversationId: conversation.id, person, tag, status, createdAt };
      known.push({ id: turn.id, ...facts, message, tool, credits, durationMs });
    }
  }
  expect(await api.database.system('turns').where({ workspace_id: workspaceId })).toHaveLength(60);
  return known;
}

async function insertCall({ id, conversationId }: { id: string; conversationId: string }, name: string) {
  const row = await api.database
    .system('turns')
    .where({ id })
    .first<{ workspace_id: string; ordinal: number }>('workspace_id', 'ordinal');
  await api.database.system('tool_calls').insert({
    ...{ id: newId(), workspace_id: row.workspace_id, conversation_id: conversationId, turn_id: id, name },
    ...{ turn_ordinal: row.ordinal, iteration: 1, index: 0, key: newId(), model_call_id: 'call' },
    ...{ effect: 'read_only', arguments_hash: 'hash', status: 'succeeded' },
  });
}

/** Reads all pages of a list of turns. */
async function findAll(query: Record<string, string>, key: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const parameters = new URLSearchParams({ ...query, limit: '7', ...(cursor === null ? {} : { cursor }) });
    const { data, error } = await api.call('GET', `/api/turns?${parameters.toString()}`, { key });
    expect(error).toBeUndefined();
    ids.push(...data.turns.map(({ id }) => id));
    cursor = data.nextCursor;
  } while (cursor !== null);
  return ids;
}

/** A part of a message, in the other case. */
const toShouted = (message: string) => message.slice(0, 3).toUpperCase();

const newestFirst = (one: KnownTurn, other: KnownTurn) =>
  other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);

describe('turns of a workspace', () => {
  let place: Workspace;
  let known: KnownTurn[];
  beforeAll(async () => {
    place = await api.createWorkspace();
    known = await fill(place, 1);
    await fill(await api.createWorkspace(), 2);
  });

  test('are listed newest first, page by page, and those of others are not', async () => {
    expect(await findAll({}, place.key)).toEqual(known.toSorted(newestFirst).map(({ id }) => id));
  });

  test('are found by any fields together', async () => {
    const random = createRandom(3);
    const pick = <One>(ones: readonly One[]): One => ones[random(ones.length)] as One;
    const found = { some: 0, none: 0 };
    for (let round = 0; round < 120; round += 1) {
      const [model] = [pick(known)];
      const time = new Date(Date.UTC(2026, 0, 1, random(9), 30)).toISOString();
      const all: Record<string, [string, (turn: KnownTurn) => boolean]> = {
        agentId: [model.agentId, (turn) => turn.agentId === model.agentId],
        conversationId: [model.conversationId, (turn) => turn.conversationId === model.conversationId],
        person: [pick(['ANN', 'ann ', 'Ann']), (turn) => turn.person === 'Ann'],
        tag: [model.tag ?? 'vip', (turn) => turn.tag === (model.tag ?? 'vip')],
        outcome: [model.status === 'running' ? 'open' : model.status, (turn) => turn.status === model.status],
        from: [time, (turn) => turn.createdAt.toISOString() >= time],
        to: [time, (turn) => turn.createdAt.toISOString() < time],
        tool: [model.tool ?? 'search', (turn) => turn.tool === (model.tool ?? 'search')],
        text: [toShouted(model.message), (turn) => turn.message === model.message],
        costFrom: [String(model.credits), (turn) => turn.credits >= model.credits],
        costTo: [String(model.credits), (turn) => turn.credits < model.credits],
        durationFrom: ['1000', (turn) => turn.durationMs !== null && turn.durationMs >= 1000],
      };
      const fields = Object.keys(all).filter(() => random(5) === 0);
      const query = Object.fromEntries(fields.map((field) => [field, all[field]?.[0] ?? '']));
      const expected = known.filter((turn) => fields.every((field) => all[field]?.[1](turn)));
      expect([query, await findAll(query, place.key)]).toEqual([
        query,
        expected.toSorted(newestFirst).map(({ id }) => id),
      ]);
      found[expected.length > 0 ? 'some' : 'none'] += 1;
    }
    expect(Math.min(found.some, found.none)).toBeGreaterThan(3);
  });

  test('of a key for one person are those of its conversations and of shared ones', async () => {
    const key = await api.createKey(place.workspaceId, ['conversations:read'], { actsFor: 'Bob' });
    const own = known.filter(({ person }) => person === 'Bob');
    expect(own.length).toBeGreaterThan(3);
    expect(await findAll({}, key)).toEqual(own.toSorted(newestFirst).map(({ id }) => id));
    const shared = known.find(({ person }) => person === 'Ann');
    const path = `/api/conversations/${shared?.conversationId}`;
    await api.call('PATCH', path, { key: place.key, body: { sharedWith: ['bob'] } });
    const seen = known.filter(
      ({ person, conversationId }) => person === 'Bob' || conversationId === shared?.conversationId,
    );
    expect(await findAll({}, key)).toEqual(seen.toSorted(newestFirst).map(({ id }) => id));
    const failed = seen.filter(({ status }) => status === 'failed');
    expect(await findAll({ outcome: 'failed' }, key)).toEqual(
      failed.toSorted(newestFirst).map(({ id }) => id),
    );
    await api.call('PATCH', path, { key: place.key, body: { sharedWith: [] } });
  });

  test('of a person are searched in its own conversations', async () => {
    const key = await api.createKey(place.workspaceId, ['conversations:read'], { actsFor: 'Bob' });
    const fits = known.filter(({ person, tool }) => person === 'Bob' && tool === 'search');
    expect(fits.length).toBeGreaterThan(0);
    expect(await findAll({ tool: 'search' }, key)).toEqual(fits.toSorted(newestFirst).map(({ id }) => id));
  });

  test('need the right to read conversations', async () => {
    const key = await api.createKey(
      place.workspaceId,
      scopes.filter((scope) => scope !== 'conversations:read'),
    );
    expect((await api.call('GET', '/api/turns', { key })).error.code).toBe('FORBIDDEN');
  });

  test('of a deleted conversation are not found', async () => {
    const gone = known.find(({ status }) => status === 'failed');
    const path = `/api/conversations/${gone?.conversationId}`;
    await api.database
      .system('turns')
      .where({ conversation_id: gone?.conversationId, settled_at: null })
      .update({ status: 'cancelled', settled_at: new Date() });
    expect((await api.call('DELETE', path, { key: place.key })).status).toBe(200);
    const left = known.filter(({ conversationId }) => conversationId !== gone?.conversationId);
    expect(await findAll({}, place.key)).toEqual(left.toSorted(newestFirst).map(({ id }) => id));
    known = left;
  });

  test('and conversations are listed in the terminal by the same fields', async () => {
    const environment = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: place.key };
    const filter = ['--person', 'ann', '--outcome', 'failed', '--agent', 'One'];
    const fits = known.filter(({ person, status }) => person === 'Ann' && status === 'failed');
    const agents = new Set(fits.map(({ agentId }) => agentId));
    const listed = await runCli(['turns', 'list', ...filter, '--json'], { environment });
    const turns = JSON.parse(listed.stdout) as { id: string; agentId: string }[];
    const [agentId = ''] = new Set(turns.map((turn) => turn.agentId));
    expect(agents).toContain(agentId);
    expect(turns.map(({ id }) => id)).toEqual(
      fits
        .filter((turn) => turn.agentId === agentId)
        .toSorted(newestFirst)
        .map(({ id }) => id),
    );
    const conversations = await runCli(['conversations', 'list', ...filter], { environment });
    const ids = new Set(fits.filter((turn) => turn.agentId === agentId).map((turn) => turn.conversationId));
    for (const id of ids) expect(conversations.stdout).toContain(`${id}  `);
    expect(conversations.stdout.trim().split('\n')).toHaveLength(ids.size);
    const search = ['--tool', 'mail', '--text', 'hel', '--cost-from', '0.0001', '--cost-to', '0.0003'];
    const found = await runCli(['turns', 'list', ...search, '--duration-from', '1', '--json'], {
      environment,
    });
    expect((JSON.parse(found.stdout) as { id: string }[]).map(({ id }) => id)).toEqual(
      known
        .filter(({ tool, message }) => tool === 'mail' && message === 'Hello')
        .filter(({ credits, durationMs }) => credits >= 100 && credits < 300 && (durationMs ?? 0) >= 1000)
        .toSorted(newestFirst)
        .map(({ id }) => id),
    );
    for (const [option, value] of [
      ['--cost-from', 'much'],
      ['--duration-from', 'long'],
    ] as const) {
      const refused = await runCli(['turns', 'list', option, value], { environment });
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${option} is "${value}"`) as string,
      });
    }
    const wrong = await runCli(['turns', 'list', '--limit', '0'], { environment });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('--limit is "0"') as string });
  });
});

test('a search for a rare turn looks at a thousand turns for each page, and continues after them', async () => {
  const { workspaceId, key } = await api.createWorkspace();
  const agent = (await api.call('POST', '/api/agents', { key, body: plainAgent })).data.agent;
  const body = { agentId: agent.id };
  const { conversation } = (await api.call('POST', '/api/conversations', { key, body })).data;
  const path = `/api/conversations/${conversation.id}/turns`;
  const { turn } = (await api.call('POST', path, { key, body: { message: 'A needle' } })).data;
  await api.database.system.raw(
    `INSERT INTO turns (id, workspace_id, conversation_id, agent_id, agent_version_id, ordinal, request_hash, status,
       timeout_ms, created_at, settled_at)
     SELECT gen_random_uuid(), t.workspace_id, t.conversation_id, t.agent_id, t.agent_version_id, t.ordinal + n, 'hash',
       'completed', 1, t.created_at + n * interval '1 second', t.created_at + n * interval '1 second'
     FROM turns t, generate_series(1, 2500) AS n WHERE t.workspace_id = ?`,
    [workspaceId],
  );
  for (const query of ['text=NEEDLE', 'text=needle&outcome=open', `text=needle&agentId=${agent.id}`]) {
    const pages: string[][] = [];
    let cursor = '';
    do {
      const { data } = await api.call('GET', `/api/turns?${query}${cursor}`, { key });
      pages.push(data.turns.map(({ id }) => id));
      cursor = data.nextCursor === null ? '' : `&cursor=${data.nextCursor}`;
    } while (cursor !== '');
    expect(pages).toEqual(query.includes('open') ? [[turn.id]] : [[], [], [turn.id]]);
  }
});

test('the list of turns refuses what it does not know', async () => {
  for (const query of [
    'outcome=broken',
    'from=yesterday',
    'cursor=1',
    'person=%20',
    'limit=101',
    'size=1',
    'tool=',
    'costFrom=-1',
    'costTo=1.5',
    'durationFrom=x',
    'text=%20',
  ])
    expect((await api.call('GET', `/api/turns?${query}`)).error.code).toBe('INVALID_INPUT');
  for (const outcome of turnFilterOutcomes)
    expect((await api.call('GET', `/api/turns?outcome=${outcome}`)).status).toBe(200);
});
