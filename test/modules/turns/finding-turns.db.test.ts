import { beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../src/domain/scope.ts';
import { turnFilterOutcomes } from '../../../src/modules/turns/turn-filter.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openConversation, plainAgent, startTurn, type Api } from '../../labs/api-lab.ts';
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
}

const people = ['Ann', 'Bob', null] as const;
const tags = ['vip', 'refund', null] as const;
const outcomes = ['completed', 'failed', 'cancelled', 'running'] as const;

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
    for (const message of ['Hello', 'Again']) {
      const path = `/api/conversations/${conversation.id}/turns`;
      const named = person === null ? {} : { actingFor: pick([person, person.toUpperCase()]) };
      const { turn } = (await api.call('POST', path, { key, body: { message, onBusy: 'enqueue', ...named } }))
        .data;
      const status = message === 'Hello' ? pick(outcomes.slice(0, 3)) : pick(outcomes);
      // Several turns have the same time.
      const createdAt = new Date(Date.UTC(2026, 0, 1, random(9)));
      const settled = status === 'running' ? {} : { settled_at: createdAt };
      await api.database
        .system('turns')
        .where({ id: turn.id })
        .update({ status, created_at: createdAt, ...settled });
      known.push({ id: turn.id, agentId, conversationId: conversation.id, person, tag, status, createdAt });
    }
  }
  expect(await api.database.system('turns').where({ workspace_id: workspaceId })).toHaveLength(60);
  return known;
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
    for (let round = 0; round < 60; round += 1) {
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
      };
      const fields = Object.keys(all).filter(() => random(3) === 0);
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
    const wrong = await runCli(['turns', 'list', '--limit', '0'], { environment });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('--limit is "0"') as string });
  });
});

test('the list of turns refuses what it does not know', async () => {
  for (const query of ['outcome=broken', 'from=yesterday', 'cursor=1', 'person=%20', 'limit=101', 'size=1'])
    expect((await api.call('GET', `/api/turns?${query}`)).error.code).toBe('INVALID_INPUT');
  for (const outcome of turnFilterOutcomes)
    expect((await api.call('GET', `/api/turns?outcome=${outcome}`)).status).toBe(200);
});

describe('a conversation with an id of the caller’s', () => {
  const open = (body: object, key = api.key) => api.call('POST', '/api/conversations', { key, body });

  test('is created once, however many ask for it at once, and stays as it is', async () => {
    const { agentId } = await openConversation(api);
    const externalId = ' order-4711 ';
    const all = await Promise.all(
      Array.from({ length: 20 }, () => open({ agentId, externalId, title: 'First' })),
    );
    expect(new Set(all.map(({ data }) => data.conversation.id)).size).toBe(1);
    expect(all.map(({ status }) => status).toSorted()).toEqual([...Array<number>(19).fill(200), 201]);
    const later = await open({ agentId, externalId: 'order-4711', title: 'Second', tags: ['late'] });
    expect(later.status).toBe(200);
    expect(later.data.conversation).toMatchObject({ externalId: 'order-4711', title: 'First', tags: [] });
    const listed = await api.call('GET', '/api/conversations?externalId=order-4711');
    expect(listed.data.conversations).toEqual([later.data.conversation]);
  });

  test('is another one for another agent, person and workspace', async () => {
    const [first, second] = await Promise.all([openConversation(api), openConversation(api)]);
    const other = await api.createWorkspace();
    const elsewhere = await api.call('POST', '/api/agents', { key: other.key, body: plainAgent });
    const externalId = newId();
    const all = await Promise.all([
      open({ agentId: first.agentId, externalId }),
      open({ agentId: second.agentId, externalId }),
      open({ agentId: first.agentId, externalId, person: 'Ann' }),
      open({ agentId: first.agentId, externalId, person: 'Bob' }),
      open({ agentId: elsewhere.data.agent.id, externalId }, other.key),
    ]);
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const again = await open({ agentId: first.agentId, externalId, person: ' ANN' });
    expect([again.status, again.data.conversation.id]).toEqual([200, all[2].data.conversation.id]);
  });

  test('is that of its person alone for a key that acts for one', async () => {
    const { agentId } = await openConversation(api);
    const [ann, bob] = await Promise.all(
      ['Ann', 'Bob'].map((actsFor) =>
        api.createKey(api.workspaceId, ['conversations:write', 'conversations:read'], { actsFor }),
      ),
    );
    const externalId = newId();
    const byBackend = await open({ agentId, externalId, person: 'Ann' });
    expect((await open({ agentId, externalId }, ann)).data).toEqual(byBackend.data);
    const ofBob = await open({ agentId, externalId }, bob);
    expect([ofBob.status, ofBob.data.conversation.person]).toEqual([201, 'bob']);
    const named = await open({ agentId, externalId, person: 'Ann' }, bob);
    expect(named.data.conversation.id).not.toBe(byBackend.data.conversation.id);
  });

  test('is found when its first turn gave it to a person, and not when it was deleted', async () => {
    const { agentId } = await openConversation(api);
    const externalId = newId();
    const { conversation } = (await open({ agentId, externalId })).data;
    const body = { message: 'Hello', actingFor: 'Ann' };
    const { turn } = (await api.call('POST', `/api/conversations/${conversation.id}/turns`, { body })).data;
    const found = await open({ agentId, externalId });
    expect([found.status, found.data.conversation]).toEqual([200, { ...conversation, person: 'ann' }]);
    await api.database
      .system('turns')
      .where({ id: turn.id })
      .update({ status: 'completed', settled_at: new Date() });
    await api.call('DELETE', `/api/conversations/${conversation.id}`);
    const made = await open({ agentId, externalId });
    expect(made.status).toBe(201);
    expect(made.data.conversation.id).not.toBe(conversation.id);
  });

  test('gives its id to no fork', async () => {
    const { agentId } = await openConversation(api);
    const { conversation } = (await open({ agentId, externalId: newId() })).data;
    const turnId = await startTurn(api, conversation.id);
    await api.database
      .system('turns')
      .where({ id: turnId })
      .update({ status: 'completed', answer: 'Hello.', settled_at: new Date() });
    const forked = await api.call('POST', `/api/conversations/${conversation.id}/fork`, {
      body: { turnId, message: 'Hello again' },
    });
    expect(forked.status).toBeLessThan(300);
    const listed = await api.call('GET', `/api/conversations?parentId=${conversation.id}`);
    expect(listed.data.conversations).toMatchObject([{ externalId: null }]);
  });
});
