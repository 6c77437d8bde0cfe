import { expect } from 'vitest';
import type { Actor, ActorRef, Rights } from '../../src/domain/actor.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import { toReachOfRoles, toScopesOfRoles, type Role } from '../../src/domain/role.ts';
import { scopes as allScopes, type Scope } from '../../src/domain/scope.ts';
import { beginScheduledRun } from '../../src/modules/schedules/run-schedule.ts';
import { actAgain } from '../../src/modules/workspaces/stored-actor.ts';
import type { ApiAnswer } from './api-lab.ts';
import type { startPeopleApi } from './signed-people.ts';

/** The kinds of links; a key may be one of a key. */
export type LinkKind = 'person' | 'key' | 'user_token' | 'session' | 'stream' | 'schedule' | 'replay';

/** A link of a chain as the test knows it: what it was given, and through which link. */
export interface Link {
  kind: LinkKind;
  id: string;
  /** Null for the first. */
  above: Link | null;
  given: Rights;
  isOver: boolean;
  /** The header with which it sends requests; empty for what sends none. */
  headers: Record<string, string>;
  /** Fails when it may do more or less than is expected; with null it may do nothing. */
  check: (expected: Rights | null) => Promise<void>;
  /** The changes that can be made to it. */
  changes: Record<string, () => Promise<void>>;
}

/** A chain that is being made. */
export interface Chain extends Awaited<ReturnType<typeof startPeopleApi>> {
  agentId: string;
  /** A conversation of nobody, which is seen by those who see the workspace. */
  conversationId: string;
  random: (below: number) => number;
  /** The person, and the name of what is made. */
  name: string;
  links: Link[];
  /** Whether a person was let in again, so fast that an open stream need not have noticed. */
  flickered: boolean;
}

/** Makes a link by a request of another, with no more than what that may do now. */
export type MakeLink = (chain: Chain, above: Link, now: Rights) => Promise<Link>;

/** The groups of approvers of which those of a chain are some. */
export const groups = ['money', 'people'];
const makerScopes: readonly Scope[] = ['api_keys:write', 'user_tokens:write', 'conversations:read'];
const roleSets: Role[][] = [['viewer'], ['editor'], ['approver', 'editor'], ['operator'], ['admin']];

export function pickOf<Item>({ random }: Pick<Chain, 'random'>, items: readonly Item[]): Item {
  return items[random(items.length)] as Item;
}

const subsetOf = <Item>({ random }: Chain, items: readonly Item[]) => items.filter(() => random(3) > 0);
const toReach = (actsFor: string | null) => (actsFor === null ? 'workspace' : 'own');
const toPerson = ({ name }: Chain) => `${name}@example.com`;
const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
const byOperator = ({ api }: Chain) => bearer(api.key);

/** The method with the path, and the body. */
type Sent = [request: string, body?: object];

function send({ api }: Chain, headers: Link['headers'], [request, body]: Sent) {
  const [method = '', path = ''] = request.split(' ');
  const origin = method === 'GET' ? {} : { origin: api.url };
  return api.call(method, path, { key: null, headers: { ...headers, ...origin }, body });
}

async function ask<Data>(chain: Chain, headers: Link['headers'], sent: Sent): Promise<Data> {
  const answer: ApiAnswer = await send(chain, headers, sent);
  if (answer.status >= 300) throw new Error(`${sent[0]}: ${answer.status} ${answer.error.message}`);
  return answer.data as Data;
}

/** Checks what a credential may do by what it says of itself, and by what it sees. */
const checkRequests = (chain: Chain, headers: Link['headers']) => async (expected: Rights | null) => {
  const identity = await send(chain, headers, ['GET /api/session']);
  const seen = await send(chain, headers, [`GET /api/conversations/${chain.conversationId}`]);
  const statuses = [identity.status, seen.status];
  // Without any scope it has no right at all.
  if (!expected || expected.scopes.length === 0) {
    const refused = expected ? 403 : 401;
    expect(statuses).toEqual([refused, refused]);
    return;
  }
  const { scopes, groups: member, actsFor: person, reach } = expected;
  const said = (identity.data as unknown as { identity: Rights & { person: string | null } }).identity;
  expect({
    ...{ scopes: said.scopes.toSorted(), groups: said.groups.toSorted() },
    ...{ person: said.person, reach: said.reach },
  }).toEqual({ scopes: scopes.toSorted(), groups: member.toSorted(), person, reach });
  const found = reach === 'workspace' ? 200 : 404;
  expect(seen.status).toBe(scopes.includes('conversations:read') ? found : 403);
};

type NewLink = Pick<Link, 'kind' | 'id' | 'given'> & Partial<Link>;

function createLink(chain: Chain, { headers = {}, ...link }: NewLink): Link {
  const check = checkRequests(chain, headers);
  return { above: null, isOver: false, headers, check, changes: {}, ...link };
}

/** Adds what may happen to a row with a secret: its end by a request, its time, and fewer scopes by its operator. */
function withChanges(chain: Chain, link: Link, end: string): Link {
  const rows = chain.api.database.system('api_keys').where({ id: link.id });
  const over = (change: () => PromiseLike<unknown>) => async () => {
    await change();
    link.isOver = true;
  };
  link.changes = {
    end: over(() => ask(chain, byOperator(chain), [`DELETE ${end}/${link.id}`])),
    expire: over(() => rows.clone().update({ expires_at: new Date() })),
    lower: async () => {
      const scopes = subsetOf(chain, link.given.scopes);
      await rows.clone().update({ scopes });
      link.given = { ...link.given, scopes };
    },
  };
  return link;
}

/** Lets an admin sign in, who may lose roles, be deactivated and be let in again. */
export async function makePerson(chain: Chain): Promise<Link> {
  const { api, sign, name } = chain;
  const member = subsetOf(chain, groups);
  const headers = bearer(await sign(name, { roles: ['admin'], groups: member, iat: -60 }));
  await ask(chain, headers, ['GET /api/session']);
  const row = await api.database.system('api_keys').where({ subject: name }).first<{ id: string }>('id');
  const scopes = toScopesOfRoles(['admin']);
  const given: Rights = { scopes, groups: member, actsFor: toPerson(chain), reach: 'workspace' };
  const link = createLink(chain, { kind: 'person', id: row.id, given, headers });
  const change = (active: boolean) =>
    ask(chain, byOperator(chain), [`PATCH /api/people/${row.id}`, { active }]);
  link.changes = {
    lower: async () => {
      const roles = pickOf(chain, roleSets);
      const newer = bearer(await sign(name, { roles, groups: [] }));
      link.given = { ...given, scopes: toScopesOfRoles(roles), groups: [], reach: toReachOfRoles(roles) };
      // Each later check shows the older token again.
      await checkRequests(chain, newer)(link.given);
    },
    deactivate: async () => {
      await change(false);
      link.isOver = true;
    },
    'let in again': async () => {
      await change(false);
      await change(true);
      chain.flickered = true;
      for (const made of chain.links)
        if (made.kind === 'key' || made.kind === 'user_token') made.isOver = true;
    },
  };
  return link;
}

/** Makes a key as the operator does. */
export async function makeFirstKey(chain: Chain): Promise<Link> {
  const { api, random } = chain;
  const actsFor = random(2) === 0 ? null : toPerson(chain);
  const member = subsetOf(chain, groups);
  const identity = { groups: member, ...(actsFor !== null && { actsFor }) };
  const key = await api.createKey(api.workspaceId, [...allScopes], identity);
  const given: Rights = { scopes: allScopes, groups: member, actsFor, reach: toReach(actsFor) };
  const [, id = ''] = key.split('_');
  return withChanges(
    chain,
    createLink(chain, { kind: 'key', id, given, headers: bearer(key) }),
    '/api/api-keys',
  );
}

const makeKey: MakeLink = async (chain, above, now) => {
  const { random, name } = chain;
  const scopes = now.scopes.filter((scope) => makerScopes.includes(scope) || random(3) > 0);
  const member = subsetOf(chain, now.groups);
  const actsFor = now.actsFor ?? (random(2) === 0 ? null : toPerson(chain));
  const body = { name, scopes, groups: member, ...(actsFor !== null && { actsFor }) };
  const made = await ask<{ key: string; apiKey: { id: string } }>(chain, above.headers, [
    'POST /api/api-keys',
    body,
  ]);
  const given: Rights = { scopes, groups: member, actsFor, reach: toReach(actsFor) };
  const link = { kind: 'key' as const, id: made.apiKey.id, above, given, headers: bearer(made.key) };
  return withChanges(chain, createLink(chain, link), '/api/api-keys');
};

const makeToken: MakeLink = async (chain, above, now) => {
  const roles = pickOf(chain, roleSets.slice(chain.random(2) === 0 ? 3 : 0));
  const member = subsetOf(chain, now.groups);
  const person = now.actsFor ?? toPerson(chain);
  const body = { person, roles, groups: member, minutes: 1_440 };
  const { token, userToken } = await ask<{ token: string; userToken: { id: string; scopes: Scope[] } }>(
    chain,
    above.headers,
    ['POST /api/user-tokens', body],
  );
  const { id, scopes } = userToken;
  const given: Rights = { scopes, groups: member, actsFor: person, reach: toReachOfRoles(roles) };
  const link = createLink(chain, { kind: 'user_token', id, above, given, headers: bearer(token) });
  return withChanges(chain, link, '/api/user-tokens');
};

const openSession: MakeLink = async (chain, above, now) => {
  const { status, headers } = await send(chain, above.headers, ['POST /api/session', {}]);
  expect(status).toBe(201);
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const link = createLink(chain, { kind: 'session', id: '', above, given: now, headers: { cookie } });
  link.changes = {
    end: async () => {
      await ask(chain, link.headers, ['DELETE /api/session']);
      link.isOver = true;
    },
  };
  return link;
};

const openStream: MakeLink = async (chain, above, now) => {
  const { api, conversationId } = chain;
  const isOfConversation = now.reach === 'workspace' && now.scopes.includes('conversations:read');
  const path = isOfConversation ? `/api/conversations/${conversationId}/events` : '/api/changes';
  const response = await fetch(api.url + path, { headers: above.headers });
  expect(response.status).toBe(200);
  const state = { isOpen: true };
  const reading = response.text().finally(() => (state.isOpen = false));
  const check = async (expected: Rights | null) => {
    const isKept = expected?.reach === now.reach && now.scopes.every((one) => expected.scopes.includes(one));
    if (!isKept) await reading;
    else if (!chain.flickered) expect(state.isOpen).toBe(true);
  };
  return createLink(chain, { kind: 'stream', id: path, above, given: now, check });
};

const makeSchedule: MakeLink = async (chain, above, now) => {
  const { api, conversationId, agentId, name } = chain;
  const { workspaceId, database } = api;
  const target = now.reach === 'workspace' ? { conversationId } : { agentId };
  const action = { kind: 'turn', message: 'Report!', ...target };
  const body = { name, times: { cron: '0 0 1 1 *' }, action };
  const { schedule } = await ask<{ schedule: { id: string } }>(chain, above.headers, [
    'POST /api/schedules',
    body,
  ]);
  const nothing = () => Promise.reject(new Error('nothing else should happen'));
  let minute = 0;
  const run = async () => {
    let isStarted = false;
    const storeTurn = () => Promise.resolve(((isStarted = true), null));
    const work = {
      storeTurn,
      startReplay: nothing,
      startRoutine: nothing,
      cancel: nothing,
      findEnd: nothing,
    };
    const schedules = {
      ...{ saveSchedule: nothing, hasSchedule: nothing, deleteSchedule: nothing, runSchedule: nothing },
      ...{ backfillSchedule: nothing, listNextRuns: nothing, countTimes: nothing },
    };
    const scheduledAt = new Date(Date.UTC(2026, 0, 1, 0, (minute += 1))).toISOString();
    const ref = { workspaceId, scheduleId: schedule.id, scheduledAt };
    await beginScheduledRun({ database, schedules, work, belongsToOther: nothing }, ref);
    return isStarted;
  };
  const check = async (expected: Rights | null) => {
    const mayStart = expected?.scopes.includes('conversations:write') && expected.reach === now.reach;
    expect(await run()).toBe(mayStart ?? false);
  };
  return createLink(chain, { kind: 'schedule', id: schedule.id, above, given: now, check });
};

const replayScopes: readonly Scope[] = ['replays:write', 'conversations:read'];

const makeReplay: MakeLink = async (chain, above, now) => {
  const { workspaceId, database } = chain.api;
  const body = { selection: { agentId: chain.agentId } };
  const { replay } = await ask<{ replay: { id: string; startedBy: ActorRef } }>(chain, above.headers, [
    'POST /api/replays',
    body,
  ]);
  const asked = { workspaceId, makers: [replay.startedBy], rights: ['replays.run'] as const, work: 'it' };
  const act = (): Promise<Actor | null> =>
    database
      .pipelined(workspaceId, (query) => actAgain(query, asked))
      .catch((error: unknown) => {
        if (error instanceof HoldfastError && error.code === 'RIGHTS_LOST') return null;
        throw error;
      });
  const check = async (expected: Rights | null) => {
    const actor = await act();
    const mayRun = replayScopes.every((scope) => expected?.scopes.includes(scope));
    expect(actor?.reach).toBe(mayRun ? expected?.reach : undefined);
    expect(actor?.scopes.toSorted()).toEqual(mayRun ? expected?.scopes.toSorted() : undefined);
  };
  return createLink(chain, { kind: 'replay', id: replay.id, above, given: now, check });
};

/** How each kind of link but a person is made by another link. */
export const makers: Record<Exclude<LinkKind, 'person'>, MakeLink> = {
  key: makeKey,
  user_token: makeToken,
  session: openSession,
  stream: openStream,
  schedule: makeSchedule,
  replay: makeReplay,
};
