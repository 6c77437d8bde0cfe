import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pino from 'pino';
import { format, resolveConfig } from 'prettier';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replaceTables } from '../../../scripts/describe-rights/describe-rights.ts';
import { doorWays, functionWays, storedWays, workflowWays } from '../../../scripts/describe-rights/ways.ts';
import { listMissingScopes } from '../../../src/domain/authorize.ts';
import { rights, type Right } from '../../../src/domain/rights.ts';
import { roles, toScopesOfRoles } from '../../../src/domain/role.ts';
import { scopes, type Scope } from '../../../src/domain/scope.ts';
import { routes } from '../../../src/main/rest-routes.ts';
import type { Dependencies } from '../../../src/main/api-dependencies.ts';
import type { Door } from '../../../src/platform/http/door.ts';
import { createServer } from '../../../src/platform/http/server.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { doors } from '../../../src/main/doors.ts';
import { actionRights as scheduleRights } from '../../../src/modules/schedules/change-schedule.ts';
import { createBuiltInFunctions } from '../../../src/engines/tools/functions/built-in-functions.ts';
import { actionRights as triggerRights } from '../../../src/modules/triggers/change-trigger.ts';
import * as workflows from '../../../workflows/index.ts';
import type { Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { countRows, expectRefusedAnswers } from '../../labs/expect-refusal.ts';

const root = path.join(import.meta.dirname, '../../..');

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

/** Keys by their scopes. */
const keys = new Map<string, Promise<string>>();

/** Returns the key with these scopes. */
function getKey(held: Scope[]): Promise<string> {
  const name = held.join(' ');
  const key = keys.get(name) ?? api.createKey(api.workspaceId, held);
  keys.set(name, key);
  return key;
}

/** An import without an agent makes one, which is another right. A stream of changes does not end, so it is refused later. */
function fill(path: string): string {
  if (path === '/api/changes') return `${path}?unknown=1`;
  const url = path.replaceAll(/:\w+/g, () => newId());
  return path === '/api/recordings' ? `${url}?agentId=${newId()}` : url;
}

const guarded = routes.flatMap(({ method, path, right }) =>
  right ? [{ method, path, right, url: fill(path) }] : [],
);

/** Lists the sets of scopes that lack a right only just, each with what it lacks. */
function listTooFew(right: Right): { held: Scope[]; missing: readonly Scope[] }[] {
  const rule: { scopes: readonly Scope[]; any?: true } = rights[right];
  const lacks = rule.any ? [rule.scopes] : rule.scopes.map((scope) => [scope]);
  return lacks.map((missing) => ({ held: scopes.filter((scope) => !missing.includes(scope)), missing }));
}

/** Lists the smallest sets of scopes that have a right. */
function listEnough(right: Right): Scope[][] {
  const rule: { scopes: readonly Scope[]; any?: true } = rights[right];
  return rule.any ? rule.scopes.map((scope) => [scope]) : [[...rule.scopes]];
}

/** Expects a call to be authenticated and allowed; it may fail for other reasons. */
async function expectOpen({ method, url }: (typeof guarded)[number], key: string): Promise<void> {
  const { status, error } = await api.call(method, url, { key });
  expect(status).not.toBe(401);
  if (status >= 400) expect(error.code).not.toBe('FORBIDDEN');
}

const toRefusal = (missing: readonly Scope[]) => ({
  status: 403,
  code: 'FORBIDDEN',
  details: { missingScopes: missing },
});

describe('a route', () => {
  describe('without its right', () => {
    let rowsBefore: unknown;
    beforeAll(async () => {
      const sets = guarded.flatMap(({ right }) => listTooFew(right));
      await Promise.all(sets.map(({ held }) => getKey(held)));
      rowsBefore = await countRows(api);
    });
    // The requests of all tests together are compared: to count the rows takes longer than the requests.
    afterAll(async () => expect(await countRows(api)).toEqual(rowsBefore));

    test.each(guarded)('$method $path is closed: $right', async ({ method, url, right }) => {
      for (const { held, missing } of listTooFew(right)) {
        const key = await getKey(held);
        await expectRefusedAnswers([() => api.call(method, url, { key })], toRefusal(missing));
      }
      expect(Object.values(api.calls).flat()).toEqual([]);
    });
  });

  test.each(guarded)('$method $path is open with $right', async (one) => {
    for (const held of listEnough(one.right)) await expectOpen(one, await getKey(held));
    expect(Object.values(api.calls).flat()).toEqual([]);
  });

  test('declares no right only where it tells nothing', () => {
    const open = routes.filter(({ right }) => !right).map(({ path }) => path);
    expect(open.filter((path) => !/^(?:\/api)?\/health\/(?:live|ready)$/.test(path))).toEqual([]);
  });
});

/** The first route of each right: the tests above show that each route asks for its right. */
const firstOfRight = guarded.filter(
  ({ right }, index) => index === guarded.findIndex((one) => one.right === right),
);

describe.each(roles)('somebody with the role %s', (role) => {
  const toMissing = (right: Right) => listMissingScopes({ scopes: toScopesOfRoles([role]) }, right);
  let token: string;
  beforeAll(async () => {
    const body = { person: 'ada', roles: [role] };
    ({ token } = (await api.call('POST', '/api/user-tokens', { body })).data as unknown as { token: string });
  });

  test('is refused what the role does not allow, and nothing is stored', async () => {
    const before = await countRows(api);
    for (const { method, url, right } of firstOfRight) {
      const missing = toMissing(right);
      if (missing.length === 0) continue;
      await expectRefusedAnswers([() => api.call(method, url, { key: token })], toRefusal(missing));
    }
    expect(await countRows(api)).toEqual(before);
  });

  test.each(firstOfRight.filter(({ right }) => toMissing(right).length === 0))(
    'has the right $right: $method $path',
    (one) => expectOpen(one, token),
  );
});

describe('the page about rights', () => {
  test('has the tables of this program; "npm run generate" writes them', async () => {
    const file = path.join(root, 'docs/rights.md');
    const page = await readFile(file, 'utf8');
    const options = { ...(await resolveConfig(file)), parser: 'markdown' };
    expect(await format(replaceTables(page, routes), options)).toBe(page);
  });

  test('has a row for each function, each kind of stored work, and each workflow', () => {
    const functions = createBuiltInFunctions().map(({ name }) => name);
    expect(Object.keys(functionWays).sort()).toEqual(functions.sort());
    expect(Object.keys(workflowWays).sort()).toEqual(Object.keys(workflows).sort());
    const kinds = [
      ...Object.entries(scheduleRights).map(([kind, right]) => [`schedule of a ${kind}`, right]),
      ...Object.entries(triggerRights).map(([kind, right]) => [`trigger of a ${kind}`, right]),
    ];
    for (const [kind = '', right = ''] of kinds)
      expect(storedWays[kind]?.check, kind).toContain(`\`${right}\``);
  });

  test('has a row for each address that asks for no key', async () => {
    const urls: string[] = [];
    const note: Door = (server) => {
      server.addHook('onRoute', ({ url, config }) => {
        if (!config?.right) urls.push(url);
      });
    };
    const dependencies = {
      logger: pino({ level: 'silent' }),
      config: api.services,
      login: { issuers: ['https://id.example.com'] },
    } as unknown as Dependencies;
    const server = await createServer(dependencies, [note, ...doors]);
    await server.close();
    const known = routes.map(({ path }) => path);
    const found = new Set(urls.filter((url) => !known.includes(url)));
    expect(Object.keys(doorWays).sort()).toEqual([...found].sort());
  });

  test('names rights that use cases ask for, and tests that exist', async () => {
    const files = await readdir(path.join(root, 'src'), { recursive: true });
    const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('domain/rights.ts'));
    const texts = await Promise.all(sources.map((file) => readFile(path.join(root, 'src', file), 'utf8')));
    for (const right of Object.keys(rights))
      expect(
        texts.some((text) => text.includes(`'${right}'`)),
        right,
      ).toBe(true);
    const ways = [functionWays, storedWays, doorWays, workflowWays].flatMap((each) => Object.values(each));
    await Promise.all(ways.map(({ test }) => access(path.join(root, test))));
  });
});
