import { Client, Connection } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { createHoldfastClient } from '../../src/clients/client/index.ts';
import type { Terminal } from '../../src/clients/cli/terminal.ts';
import type { AuditType } from '../../src/domain/audit.ts';
import { rights } from '../../src/domain/rights.ts';
import { scopes, type Scope } from '../../src/domain/scope.ts';
import { loadConfig } from '../../src/main/config.ts';
import { createWorkerActivities } from '../../src/main/create-worker-activities.ts';
import { listActivityQueues } from '../../src/main/create-worker.ts';
import { listApiDoors } from '../../src/main/doors.ts';
import { modules } from '../../src/main/modules.ts';
import { listApiRoutes } from '../../src/main/rest-routes.ts';
import { deleteWorkspace } from '../../src/modules/workspaces/delete-workspace.ts';
import { createWorkerParts, nameSchemas } from '../../src/platform/module/derive.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { toys } from '../fixtures/toys/module.ts';
import { createToy, listToys } from '../fixtures/toys/toy-commands.ts';
import { createToyTable } from '../fixtures/toys/toy-table.ts';
import { toySchema, type Toy } from '../fixtures/toys/toy.ts';
import { startApi, type Api, type CallOptions } from '../labs/api-lab.ts';
import { runAsOwner } from '../labs/database-login.ts';
import { expectRefusal } from '../labs/expect-refusal.ts';

// The only list that a new module is added to.
const withToys = [...modules, toys] as const;
const routes = listApiRoutes(withToys);
const toyRoutes = routes.filter(({ path }) => path.startsWith('/api/toys'));
const toyPaths = [...new Set(toyRoutes.map(({ path }) => path)), '/toys/:id'];

let api: Api;
beforeAll(async () => {
  nameSchemas([toys], z.globalRegistry);
  const toDatabaseUrl = async (url: string) => {
    await runAsOwner(url, createToyTable);
    return url;
  };
  api = await startApi({}, {}, { toDatabaseUrl, doors: listApiDoors(withToys) });
});
afterAll(async () => {
  // The registry is that of all tests of this process.
  z.globalRegistry.remove(toySchema);
  await api.stop();
});

function fill(path: string, id = newId()): string {
  return path.replace(':id', id);
}

async function addToy(name = 'Top', options: CallOptions = {}): Promise<Toy> {
  const { data } = await api.call('POST', '/api/toys', { body: { name }, ...options });
  return (data as unknown as { toy: Toy }).toy;
}

async function readToys(key = api.key): Promise<Toy[]> {
  const { data } = await api.call('GET', '/api/toys', { key });
  return (data as unknown as { toys: Toy[] }).toys;
}

async function listAuditTypes(subjectId: string): Promise<string[]> {
  const { data } = await api.call('GET', `/api/audit-events?subjectId=${subjectId}`);
  return (data as unknown as { auditEvents: { type: string }[] }).auditEvents.map(({ type }) => type);
}

/** The worker of all modules and of toys, whose activities the test runs. */
function openWorker() {
  const connection = Connection.lazy({ address: inject('temporalAddress') });
  const parts = {
    config: loadConfig({}),
    services: api.services,
    client: new Client({ connection }),
    logger: pino({ level: 'silent' }),
    shutdown: new AbortController().signal,
  };
  const { activities } = createWorkerActivities(parts, {}, withToys);
  const environment = new MockActivityEnvironment({ startToCloseTimeoutMs: 60_000 });
  return {
    run: (name: string, input?: object) =>
      environment.run(
        (activities as Record<string, (input?: object) => Promise<unknown>>)[name] ?? missing,
        input,
      ),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

function missing(): Promise<never> {
  return Promise.reject(new Error('There is no such activity.'));
}

describe('the API', () => {
  test('serves the routes of a new module', async () => {
    const toy = await addToy('Ball');
    expect(toy).toMatchObject({ name: 'Ball', startedAt: null });
    expect((await api.call('GET', `/api/toys/${toy.id}`)).data).toEqual({ toy });
    expect(await readToys()).toContainEqual(toy);
    expect((await api.call('DELETE', `/api/toys/${toy.id}`)).data).toEqual({ deleted: true });
    await expectRefusal(api, () => api.call('GET', `/api/toys/${toy.id}`), {
      status: 404,
      code: 'NOT_FOUND',
    });
  });

  test('serves its doors outside the REST API', async () => {
    const { id } = await addToy('Kite');
    const headers = { authorization: `Bearer ${api.key}` };
    const page = await fetch(`${api.url}/toys/${id}`, { headers });
    expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
      200,
      'text/plain',
      'Kite',
    ]);
  });

  test('checks its bodies', async () => {
    const run = () => api.call('POST', '/api/toys', { body: { name: '' } });
    await expectRefusal(api, run, { details: [{ field: 'name' }] });
  });

  test('documents its paths, with the name of its schema', async () => {
    const response = await fetch(`${api.url}/api/openapi.json`);
    const { paths, components } = (await response.json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
      components: { schemas: Record<string, object> };
    };
    const documented = Object.entries(paths).filter(([path]) => path.startsWith('/api/toys'));
    const ids = documented.flatMap(([, methods]) => Object.values(methods).map((one) => one.operationId));
    expect(ids.sort()).toEqual(['createToy', 'deleteToy', 'getToy', 'listToys']);
    expect(components.schemas).toHaveProperty('Toy.properties.startedAt');
    expect(JSON.stringify(documented)).toContain('#/components/schemas/Toy"');
  });

  test('answers another method of its paths with those that it allows', async () => {
    for (const path of new Set(toyRoutes.map((route) => route.path))) {
      const { status, error, headers } = await api.call('PATCH', fill(path));
      expect([status, error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(headers.get('allow')).toContain('GET');
    }
  });

  test.each(toyRoutes)('refuses $method $path without its right', async ({ method, path, right }) => {
    if (!right) throw new Error('The route has no right.');
    const needed: readonly Scope[] = rights[right].scopes;
    const key = await api.createKey(
      api.workspaceId,
      scopes.filter((scope) => !needed.includes(scope)),
    );
    const refusal = { status: 403, code: 'FORBIDDEN', details: { missingScopes: needed } };
    await expectRefusal(api, () => api.call(method, fill(path), { key }), refusal);
    const run = () => api.call(method, fill(path), { key: null });
    await expectRefusal(api, run, { status: 401, code: 'UNAUTHORIZED' });
  });

  test('shows another workspace nothing of it', async () => {
    const toy = await addToy();
    const { key } = await api.createWorkspace();
    expect(await readToys(key)).toEqual([]);
    for (const path of toyPaths.filter((one) => one.includes(':id')))
      for (const method of ['GET', ...(path.startsWith('/api') ? ['DELETE'] : [])]) {
        const refusal = { status: 404, code: 'NOT_FOUND' };
        await expectRefusal(api, () => api.call(method, fill(path, toy.id), { key }), refusal);
      }
    expect(await readToys()).toContainEqual(toy);
  });
});

test('a change writes an audit event of a type of the module', async () => {
  const { id } = await addToy();
  await api.call('DELETE', `/api/toys/${id}`);
  expect(await listAuditTypes(id)).toEqual(['toy.deleted', 'toy.created'] satisfies AuditType[]);
});

describe('a worker', () => {
  test('runs the activities of a new module', async () => {
    await using worker = openWorker();
    const { id } = await addToy();
    await worker.run('startToy', { workspaceId: api.workspaceId, toyId: id });
    expect((await readToys()).find((toy) => toy.id === id)?.startedAt).toEqual(expect.any(String));
    expect(await listAuditTypes(id)).toEqual(['toy.started', 'toy.created']);
  });

  test('sweeps its stored rows, each once', async () => {
    await using worker = openWorker();
    const { id } = await addToy();
    const { sweeps } = (await worker.run('listSweeps')) as { sweeps: string[] };
    expect(sweeps).toEqual(expect.arrayContaining(['toys', 'deliveries']));
    const unstarted = (await readToys()).filter(({ startedAt }) => startedAt === null);
    expect(unstarted.map((toy) => toy.id)).toContain(id);
    const counts = { done: unstarted.length, failed: 0 };
    expect(await worker.run('runSweep', { sweep: 'toys' })).toEqual(counts);
    expect((await readToys()).filter(({ startedAt }) => startedAt === null)).toEqual([]);
    expect(await worker.run('runSweep', { sweep: 'toys' })).toEqual({ done: 0, failed: 0 });
  });

  test('has how its stuck work is ended', async () => {
    const [part] = createWorkerParts([toys], api.services);
    const { id } = await addToy();
    await part?.work?.[0]?.stuck?.restart?.(api.workspaceId, id);
    expect(await listAuditTypes(id)).toEqual(['toy.started', 'toy.created']);
  });

  test('polls its task queue', () => {
    const names = listActivityQueues(withToys, 'turns', 'all').map(({ taskQueue }) => taskQueue);
    expect(names).toContain('turns-toys');
  });

  test('removes its rows with their workspace', async () => {
    await using worker = openWorker();
    const { workspaceId, key } = await api.createWorkspace();
    await addToy('Gone', { key });
    const kept = await addToy('Kept');
    await deleteWorkspace({ database: api.database }, workspaceId);
    expect(await worker.run('removeRecords')).toMatchObject({ workspaces: 1 });
    expect(await api.database.system('toys').where({ workspace_id: workspaceId })).toEqual([]);
    expect((await readToys()).map(({ id }) => id)).toContain(kept.id);
  });
});

test('its commands work against the server', async () => {
  const lines: string[] = [];
  const terminal: Pick<Terminal, 'line'> = { line: (text = '') => void lines.push(text) };
  const { key } = await api.createWorkspace();
  const services = { client: createHoldfastClient({ baseUrl: api.url, apiKey: key }), terminal };
  await listToys(services, {});
  await createToy(services, 'Train');
  await listToys(services, {});
  const [toy] = await readToys(key);
  expect(lines).toEqual([
    'The workspace has no toys.',
    `Toy ${toy?.id ?? ''} is created.`,
    `${toy?.id ?? ''}  Train  stored`,
  ]);
});
