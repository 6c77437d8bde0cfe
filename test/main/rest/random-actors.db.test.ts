import { beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../labs/random.ts';
import { type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';

/** Options of one run, such as `HOLDFAST_RANDOM_ACTORS=2000`; without them 120 acts are made. */
const { HOLDFAST_RANDOM_ACTORS, HOLDFAST_RANDOM_SEED } = process.env;
const count = Number(HOLDFAST_RANDOM_ACTORS ?? 120);
const seed = Number(HOLDFAST_RANDOM_SEED ?? 1);

interface ActingPart {
  name: string;
  key: string;
  /** Null for a key that acts for anybody. */
  person: string | null;
  seesAll: boolean;
  writes: boolean;
  isForeign?: true;
  /** Set for a user token. */
  token?: { id: string; roles: string[] };
}

interface KnownConversation {
  id: string;
  owner: string | null;
  shared: string[] | 'workspace';
  /** Whether somebody has said something in it. */
  isBegun: boolean;
  turnId: string | null;
}

let api: Api;
let agentId: string;
let actors: ActingPart[];
const conversations: KnownConversation[] = [];
const schedules: { id: string; owner: string | null }[] = [];
const triggers: { id: string; owner: string | null }[] = [];

beforeAll(async () => {
  api = await shareApi();
  const agent = await api.call('POST', '/api/agents', {
    body: { name: 'Desk', model: 'demo', instructions: '' },
  });
  agentId = agent.data.agent.id;
  const bound = await api.createKey(api.workspaceId, ['conversations:read', 'conversations:write'], {
    actsFor: 'Ann',
  });
  const foreign = await api.createWorkspace();
  const all = { person: null, seesAll: true, writes: true };
  actors = [
    { name: 'root', key: api.key, ...all },
    { name: 'ann', key: bound, person: 'ann', seesAll: false, writes: true },
    await issue('bob', ['editor']),
    await issue('cleo', ['viewer']),
    await issue('olga', ['operator']),
    { name: 'foreign', key: foreign.key, ...all, isForeign: true },
  ];
});

async function issue(person: string, roles: string[]): Promise<ActingPart> {
  const { data } = await api.call('POST', '/api/user-tokens', { body: { person, roles } });
  const { token, userToken } = data as unknown as { token: string; userToken: { id: string } };
  const seesAll = roles.includes('operator');
  return {
    ...{ name: person, key: token, person, seesAll, writes: !roles.includes('viewer') },
    token: { id: userToken.id, roles },
  };
}

function sees(actor: ActingPart, { owner, shared }: KnownConversation): boolean {
  if (actor.isForeign) return false;
  if (actor.seesAll || shared === 'workspace') return true;
  return actor.person !== null && (owner === actor.person || shared.includes(actor.person));
}

const as = (actor: ActingPart, request: `${string} ${string}`, body?: object) => {
  const [method = '', path = ''] = request.split(' ');
  return api.call(method, path, { key: actor.key, body });
};

function readSchedules({ data }: Awaited<ReturnType<typeof as>>) {
  return data as unknown as { schedule: { id: string }; schedules: { id: string }[] };
}

function readTriggers({ data }: Awaited<ReturnType<typeof as>>) {
  return data as unknown as { trigger: { id: string }; triggers: { id: string }[] };
}

/** Expects a refusal where the table refuses, and otherwise an answer that is none. Returns whether it was let in. */
async function expectLetIn(
  answer: ReturnType<typeof as>,
  { isAllowed, refusal }: { isAllowed: boolean; refusal: number },
): Promise<boolean> {
  const { status } = await answer;
  if (isAllowed) expect([200, 201, 202, 409, 429]).toContain(status);
  else expect(status).toBe(refusal);
  return status < 300;
}

/** A number from 0 to below `below`. */
type Random = (below: number) => number;
type Act = (actor: ActingPart, random: Random) => Promise<unknown>;

function pickOf<Item>(random: Random, items: readonly Item[]): Item {
  return items[random(items.length)] as Item;
}

const pick = (random: Random) => conversations[random(Math.max(1, conversations.length))];

const acts: Record<string, Act> = {
  make: async (actor) => {
    const agent = actor.isForeign
      ? await as(actor, 'POST /api/agents', { name: 'x', model: 'demo', instructions: '' })
      : null;
    const { status, data } = await as(actor, 'POST /api/conversations', {
      agentId: agent?.data.agent.id ?? agentId,
    });
    expect(status).toBe(actor.writes ? 201 : 403);
    if (status !== 201 || actor.isForeign) return;
    const { id } = data.conversation;
    conversations.push({ id, owner: actor.person, shared: [], isBegun: false, turnId: null });
  },
  rename: async (actor, random) => {
    const known = pick(random);
    if (!known) return;
    const asked = as(actor, `PATCH /api/conversations/${known.id}`, { title: `Title ${random(100)}` });
    await expectLetIn(asked, {
      isAllowed: actor.writes && sees(actor, known),
      refusal: actor.writes ? 404 : 403,
    });
  },
  share: async (actor, random) => {
    const known = pick(random);
    if (!known) return;
    const shared = pickOf<string[] | 'workspace'>(random, [[], ['bob'], ['ann', 'cleo'], 'workspace']);
    const isOwn = actor.seesAll || known.owner === actor.person;
    const asked = as(actor, `PATCH /api/conversations/${known.id}`, { sharedWith: shared });
    const isAllowed = actor.writes && isOwn && sees(actor, known);
    if (await expectLetIn(asked, { isAllowed, refusal: actor.writes && !sees(actor, known) ? 404 : 403 }))
      known.shared = shared;
  },
  say: async (actor, random) => {
    const known = pick(random);
    if (!known) return;
    // A conversation of nobody in which nothing was said becomes that of the first who writes in it.
    const claims = !actor.isForeign && known.owner === null && !known.isBegun;
    const isAllowed = actor.writes && (sees(actor, known) || claims);
    const onBusy = pickOf(random, ['steer', 'enqueue', 'reject']);
    const answer = as(actor, `POST /api/conversations/${known.id}/turns`, { message: 'Hello.', onBusy });
    if (!(await expectLetIn(answer, { isAllowed, refusal: actor.writes ? 404 : 403 }))) return;
    if (claims) known.owner = actor.person;
    known.isBegun = true;
    known.turnId ??= (await answer).data.turn.id;
  },
  cancel: async (actor, random) => {
    const known = pick(random);
    if (!known?.turnId) return;
    const turn = await as(root(), `GET /api/turns/${known.turnId}`);
    const starter = turn.data.turn.startedBy?.actingFor ?? null;
    const isOther = !actor.seesAll && starter?.toLowerCase() !== actor.person;
    const isSeen = sees(actor, known);
    await expectLetIn(as(actor, `POST /api/turns/${known.turnId}/cancel`, {}), {
      isAllowed: actor.writes && isSeen && !isOther,
      refusal: actor.writes && !isSeen ? 404 : 403,
    });
  },
  fork: async (actor, random) => {
    const known = pick(random);
    if (!known?.turnId) return;
    const answer = await as(actor, `POST /api/conversations/${known.id}/fork`, { turnId: known.turnId });
    if (!actor.writes) expect(answer.status).toBe(403);
    else if (!sees(actor, known)) expect(answer.status).toBe(404);
    else if (answer.status < 300) {
      const { conversation } = (await as(root(), `GET /api/conversations/${answer.data.conversation.id}`))
        .data;
      const owner = conversation.person?.toLowerCase() ?? null;
      expect([actor.person, known.owner]).toContain(owner);
      conversations.push({ id: conversation.id, owner, shared: [], isBegun: true, turnId: null });
    }
  },
  schedule: async (actor, random) => {
    const known = pick(random);
    if (!known || actor.isForeign || schedules.length > 100) return;
    const action = { kind: 'turn', conversationId: known.id, message: 'Report.' };
    const times = { interval: { everyMs: 3_600_000 } };
    const answer = as(actor, 'POST /api/schedules', { name: `Report ${random(1e9)}`, times, action });
    const isAllowed = actor.writes && sees(actor, known);
    if (await expectLetIn(answer, { isAllowed, refusal: actor.writes ? 404 : 403 }))
      schedules.push({ id: readSchedules(await answer).schedule.id, owner: actor.person });
  },
  trigger: async (actor, random) => {
    const known = pick(random);
    if (!known || actor.isForeign || triggers.length > 90) return;
    const action = { kind: 'turn', conversationId: known.id, message: 'Read {{ .text }}.' };
    const body = { name: `Mail ${random(1e9)}`, provider: 'github', events: ['*'], action };
    const answer = as(actor, 'POST /api/triggers', body);
    const isAllowed = actor.writes && sees(actor, known);
    if (await expectLetIn(answer, { isAllowed, refusal: actor.writes ? 404 : 403 }))
      triggers.push({ id: readTriggers(await answer).trigger.id, owner: actor.person });
  },
  replay: async (actor, random) => {
    const known = pick(random);
    if (!known || actor.isForeign) return;
    const before = await api.database.system('replays').count<{ count: number }[]>('id');
    const answer = as(actor, 'POST /api/replays', { selection: { conversationIds: [known.id] } });
    const isIn = await expectLetIn(answer, { isAllowed: actor.seesAll, refusal: 403 });
    const after = await api.database.system('replays').count<{ count: number }[]>('id');
    expect(Number(after[0]?.count) - Number(before[0]?.count)).toBe(isIn ? 1 : 0);
  },
  revoke: async (actor) => {
    if (!actor.token || actor.person === null) return;
    await as(root(), `DELETE /api/user-tokens/${actor.token.id}`);
    expect((await as(actor, 'GET /api/conversations')).status).toBe(401);
    Object.assign(actor, await issue(actor.person, actor.token.roles));
  },
};

function root(): ActingPart {
  const [first] = actors;
  if (!first) throw new Error('nobody acts');
  return first;
}

/** What everybody sees is what the table says, in lists and one by one. */
async function expectTable(random: Random): Promise<void> {
  const one = pick(random);
  for (const actor of actors) {
    const { data } = await as(actor, 'GET /api/conversations?limit=100');
    const seen = conversations.filter((known) => sees(actor, known)).map(({ id }) => id);
    const listed = data.conversations.map(({ id }) => id);
    if (!actor.isForeign)
      expect([actor.name, listed.toSorted()]).toEqual([actor.name, seen.slice(-100).toSorted()]);
    else expect(listed.filter((id) => conversations.some((known) => known.id === id))).toEqual([]);
    if (!one) continue;
    for (const path of ['', '/turns', '/messages', '/context'])
      expect([actor.name, path, (await as(actor, `GET /api/conversations/${one.id}${path}`)).status]).toEqual(
        [actor.name, path, sees(actor, one) ? 200 : 404],
      );
    const own = schedules.filter(({ owner }) => actor.seesAll || owner === actor.person).map(({ id }) => id);
    const listing = await as(actor, 'GET /api/schedules?limit=100');
    const found = readSchedules(listing)
      .schedules.map(({ id }) => id)
      .toSorted();
    if (!actor.isForeign) expect([actor.name, found]).toEqual([actor.name, own.slice(-100).toSorted()]);
    await expectTurnsAndTriggers(actor, one);
  }
}

async function expectTurnsAndTriggers(actor: ActingPart, one: KnownConversation): Promise<void> {
  const all = await as(actor, 'GET /api/turns?limit=100');
  const shown = new Set(all.data.turns.map(({ conversationId }) => conversationId));
  const wrong = conversations.filter((known) => shown.has(known.id) && !sees(actor, known));
  expect([actor.name, wrong]).toEqual([actor.name, []]);
  const { data } = await as(actor, `GET /api/turns?conversationId=${one.id}`);
  if (one.isBegun) expect([actor.name, data.turns.length > 0]).toEqual([actor.name, sees(actor, one)]);
  const own = triggers.filter(({ owner }) => actor.seesAll || owner === actor.person).map(({ id }) => id);
  const listed = readTriggers(await as(actor, 'GET /api/triggers?limit=100')).triggers.map(({ id }) => id);
  if (!actor.isForeign) expect([actor.name, listed.toSorted()]).toEqual([actor.name, own.toSorted()]);
}

test(`after each of ${count} random acts of six actors, all see what the table says (seed ${seed})`, async () => {
  const random = createRandom(seed);
  for (let act = 0; act < count; act += 1) {
    const actor = pickOf(random, actors);
    const name = pickOf(random, Object.keys(acts).slice(conversations.length > 60 ? 1 : 0));
    await acts[name]?.(actor, random);
    if (act % 10 === 0) await expectTable(random);
  }
  await expectTable(random);
  expect(conversations.length).toBeGreaterThan(5);
}, 600_000);
