import { beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../src/domain/scope.ts';
import { routes } from '../../../src/main/rest-routes.ts';
import type { DeclaredRoute } from '../../../src/platform/http/route.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import type { Api } from '../../labs/api-lab.ts';
import { listIdPlaces, type IdPlace } from '../../labs/id-places.ts';
import {
  createDigest,
  fillTemplate,
  toChecked,
  tryId,
  tryRoute,
  type IdCaller,
} from '../../labs/id-requests.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { createThings, thingOwners, type Things } from '../../labs/things.ts';

const marker = 'A secret of Bob.';

/** The kinds of things of Bob that a caller must not find, by whom they belong to. */
const hidden = {
  'a key for another person': ['conversation', 'person'],
  'a key of another workspace': ['conversation', 'person', 'workspace'],
  'a token for other conversations': ['conversation', 'person'],
};
type CallerName = keyof typeof hidden;
const names = Object.keys(hidden) as CallerName[];

let api: Api;
let digestRows: () => Promise<unknown>;
let bob: IdCaller;
let callers: Record<CallerName, IdCaller>;

beforeAll(async () => {
  api = await shareApi();
  digestRows = await createDigest(api);
  bob = await make('Bob', marker);
  const others = await make('Bob', 'Something else of Bob.');
  const input = { person: 'Bob', roles: ['admin'], conversations: [others.own.conversations] };
  const { data } = await api.call('POST', '/api/user-tokens', { body: input });
  const { token } = data as unknown as { token: string };
  const foreign = await api.createWorkspace();
  const owner = { ...foreign, workspaceKey: foreign.key, person: null, marker: 'Something else.' };
  callers = {
    'a key for another person': await make('Ann', 'A secret of Ann.'),
    'a key of another workspace': {
      key: foreign.key,
      own: { ...(await createThings(api, owner)), person: 'Zoe' },
    },
    'a token for other conversations': { key: token, own: others.own },
  };
});

/** Makes one thing of each kind for a person. */
async function make(person: string, text: string): Promise<IdCaller> {
  const { workspaceId, key: workspaceKey } = api;
  const key = await api.createKey(workspaceId, [...scopes], { actsFor: person });
  const own = await createThings(api, { workspaceId, key, person, workspaceKey, marker: text });
  return { key, own: { ...own, person } };
}

/** Places whose ids are stored as they are, and what keeps them from showing anything. */
const judgedLater: [RegExp, string][] = [
  [
    /(POST|PATCH) \/api\/schedules.* with action\.replay\./,
    'a replay is checked when the schedule starts it',
  ],
  [/POST \/api\/replays with selection\./, 'a replay reads what its starter sees while it runs'],
  [/config\.connectorId/, 'a call finds connectors of its workspace alone'],
  [/PATCH \/api\/swarms\/:id with teamConfig\./, 'the team is a text for its agents'],
  [
    /POST \/api\/resources with attributes\.agentId of the body \(agents\) 2/,
    'a memory is found by agents of its workspace',
  ],
  [/POST \/api\/user-tokens with conversations\./, 'a token sees no more than its person'],
];

/** Places by which not even the owner finds something, since createThings makes nothing that they would find. */
const foundByNobody: [RegExp, string][] = [
  [/GET \/api\/audit-events/, 'events wait for the audit log'],
  [/PATCH \/api\/webhooks\/:id with slack\./, 'the webhook is no channel'],
  [/\/turns with expectedTurnId/, 'the turn is over, which is answered as any other one is'],
  [/\/provision with config\.skills/, 'the connector of the agent has no server'],
];

/** Places by which a key that may decide about calls finds approvals of all people. */
const seenByDeciders = /^GET \/api\/approval-grants with actionId/;

const places = (routes as DeclaredRoute[]).flatMap(listIdPlaces);
const titled = nameAll(places);

/** Names places. Variants of one body have one name, and get numbers. */
function nameAll(all: readonly IdPlace[]): [string, IdPlace][] {
  const counts = new Map<string, number>();
  return all.map((place) => {
    const { route, part, field, kind = 'unknown' } = place;
    const name = `${route.method} ${route.path} with ${field} of the ${part} (${kind})`;
    const count = (counts.get(name) ?? -1) + 1;
    counts.set(name, count);
    return [count === 0 ? name : `${name} ${count}`, place];
  });
}

const matches = (list: readonly [RegExp, string][], title: string) =>
  list.some(([pattern]) => pattern.test(title));

test('every id that a route takes names a thing that this test makes', () => {
  const unknown = titled.filter(([, { kind }]) => kind === undefined).map(([title]) => title);
  const advice =
    'add the kind to thingOwners and createThings (test/labs/things.ts), and a field to kindsOfFields or otherFields (test/labs/id-places.ts)';
  expect(unknown, advice).toEqual([]);
});

test('every exception is one of a place that there is', () => {
  const all = [...judgedLater, ...foundByNobody].map(([pattern]) => pattern);
  expect(
    [...all, seenByDeciders].filter((pattern) => !titled.some(([title]) => pattern.test(title))),
  ).toEqual([]);
});

test.each(titled)('%s has a request that is valid', (_, place) => {
  const { schema, value } = toChecked(place) ?? {};
  if (!schema || (place.part === 'path' && schema.safeParse(null).success)) return;
  const filled = fillTemplate(value ?? {}, () => newId());
  expect(schema.safeParse(filled).error?.issues ?? []).toEqual([]);
});

describe.each(names)('%s', (name) => {
  const isHidden = ({ kind }: IdPlace) => kind !== undefined && hidden[name].includes(thingOwners[kind]);
  const tested = titled.filter(
    ([title, place]) =>
      isHidden(place) && !(name === 'a key for another person' && seenByDeciders.test(title)),
  );

  // The lists come first: what is tried below may leave ids in things of the caller.
  const lists = (routes as DeclaredRoute[]).filter(
    ({ method, path, right }) => method === 'GET' && !path.includes(':') && right,
  );
  test.each(lists.map((route) => [route.path, route] as const))(
    'finds nothing at %s',
    async (path, route) => {
      const { whole } = await tryRoute(api, route, callers[name]);
      // The audit log is one for the workspace, and a key that decides sees approvals of all people.
      if (name === 'a key for another person' && /audit|grants/.test(path)) return;
      expect(whole).not.toContain(marker);
      expect(listHiddenIds(name).filter(([, id]) => whole.includes(id))).toEqual([]);
    },
  );

  /** The rows after the last request that could have changed them. */
  let rows: unknown;
  test.each(tested)('finds and changes nothing by %s', async (title, place) => {
    const caller = callers[name];
    const unknown = await tryId(api, place, { caller, of: { id: newId() } });
    const reads = place.route.method === 'GET';
    const before = reads ? rows : (rows ??= await digestRows());
    const answer = await tryId(api, place, { caller, of: toTried(place) });
    expect(answer.whole).not.toContain(marker);
    if (matches(judgedLater, title) && unknown.status < 300) {
      rows = undefined;
      expect(answer.status).toBe(unknown.status);
      return;
    }
    expect([answer.status, answer.text]).toEqual([unknown.status, unknown.text]);
    if (!reads) rows = await digestRows();
    expect(rows).toEqual(before);
    if (place.part === 'path') expect([403, 404]).toContain(answer.status);
    else if (place.route.method !== 'GET') expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  const shared = titled.filter(([, place]) => !isHidden(place) && place.route.method === 'GET');
  test.each(shared)('reads no text of others by %s', async (_, place) => {
    const { whole } = await tryId(api, place, { caller: callers[name], of: toTried(place) });
    expect(whole).not.toContain(marker);
  });
});

function toTried({ kind }: IdPlace) {
  if (kind === undefined) throw new Error('a place of an unknown kind');
  return { ...bob.own, id: bob.own[kind] };
}

function listHiddenIds(name: CallerName): [string, string][] {
  return Object.entries(bob.own as Things).filter(
    ([kind]) => kind in thingOwners && hidden[name].includes(thingOwners[kind as keyof Things]),
  );
}

describe('the owner', () => {
  const isLast = ({ route, part, field }: IdPlace) => part !== 'path' || route.path.endsWith(`:${field}`);
  const found = titled
    .filter(([, place]) => place.route.method !== 'DELETE' || isLast(place))
    .filter(([title]) => !matches(judgedLater, title) && !matches(foundByNobody, title))
    .toSorted(([, one], [, other]) => rankOf(one) - rankOf(other));

  test.each(found)('finds something by %s', async (_, place) => {
    const unknown = await tryId(api, place, { caller: bob, of: { id: newId() } });
    const answer = await tryId(api, place, { caller: bob, of: toTried(place) });
    expect(answer.text).not.toEqual(unknown.text);
  });
});

/** Requests of parts come before those of wholes, and deletions last. */
function rankOf({ route: { method, path } }: IdPlace): number {
  const depth = path.split('/').length;
  const order = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].indexOf(method);
  return (depth > 5 ? 0 : method === 'DELETE' ? 1000 : 100) - depth * 10 + order;
}
