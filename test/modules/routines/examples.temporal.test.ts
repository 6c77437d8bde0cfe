import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBudget } from '../../../src/modules/credits/budgets/change-budgets.ts';
import { setPrices } from '../../../src/modules/credits/workspace-prices.ts';
import type { ConnectionAuth } from '../../../src/domain/connection.ts';
import type { JsonValue } from '../../../src/domain/json.ts';
import { createRoutineScene, type RoutineScene } from '../../labs/routine-scene.ts';
import { connectIn } from '../../labs/connect-in.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import type { HttpServer } from '../../servers/http-server.ts';
import { startPlainOAuthServer } from '../../servers/plain-oauth-server.ts';
import { petAddress, startPetServer, type PetRequest } from '../../servers/pet-server.ts';

const folder = new URL('../../../examples/routines/', import.meta.url);

const password = 'pass/word+"quoted" 4711';
const key = 'key/+"quoted" 4712';

let lab: TurnLab;
let scene: RoutineScene;
let pets: HttpServer & { requests: PetRequest[] };
const cleanups: (() => Promise<void>)[] = [];
/** The ids of the examples by name, and the names of those that a test has run. */
const ids = new Map<string, string>();
const played = new Set<string>();

beforeAll(async () => {
  [lab, pets] = await Promise.all([shareTurnLab(), startPetServer()]);
  const sum = { type: 'function' as const, name: 'sum', description: 'Adds.', schema: { type: 'object' } };
  scene = await createRoutineScene(lab, { tools: [{ ...sum, config: { functionName: 'calculate' } }] });
  const connect = (name: string, auth: ConnectionAuth) => connectIn(lab, { name, endpoint: pets.url, auth });
  const oauth = await startPlainOAuthServer();
  cleanups.push(() => oauth.close());
  await connect('pets', { type: 'basic', username: 'ada', password });
  await connect('pets-key', { type: 'api_key', header: 'X-Api-Key', prefix: '', key });
  await connect('pets-token', { type: 'bearer', token: 'sk-pets-1234567890' });
  const client = {
    clientId: 'machine',
    clientSecret: 'machine-secret-1',
    tokenUrl: `${oauth.issuer}/token`,
    scopes: [],
  };
  await connect('pets-client', { type: 'oauth2_client_credentials', ...client });
  for (const file of (await readdir(folder)).sort()) {
    const name = file.replace('.yaml', '');
    const { id } = await scene.store(await read(name));
    ids.set(name, id);
  }
});

afterAll(async () => {
  expect([...ids.keys()].filter((name) => !played.has(name))).toEqual([]);
  await Promise.all(cleanups.map((close) => close()));
  await pets.close();
  await lab.close();
});

async function read(name: string): Promise<string> {
  const text = await readFile(new URL(`${name}.yaml`, folder), 'utf8');
  return text.replaceAll(petAddress, pets.url);
}

function start(name: string, input: JsonValue = {}): Promise<string> {
  played.add(name);
  return scene.start(ids.get(name) ?? '', input);
}

async function play(name: string, input: JsonValue = {}) {
  return scene.end(await start(name, input));
}

const lines = [
  { name: 'a', count: 2, each: 3 },
  { name: 'b', count: 1, each: 4 },
];

const outcomes: [name: string, input: JsonValue, output: JsonValue][] = [
  ['set', { order: { net: 10, lines } }, { gross: 12, items: 10, from: 'set' }],
  ['do', {}, { count: 2, steps: ['first', 'second'] }],
  ['switch', { priority: 'high' }, { handled: 'paged', by: 'last' }],
  ['switch', { priority: 'low' }, { handled: 'queued' }],
  ['switch', { priority: 'none' }, { priority: 'none' }],
  ['then', {}, { colors: ['red', 'light green', 'blue'] }],
  ['for', { items: [4, 7, 100] }, { sum: 11, seen: [0, 1] }],
  ['fork', { of: 2 }, { names: ['slow', 'fast'], of: 2 }],
  ['compete', {}, { winner: 'fast' }],
  ['try', {}, { title: 'Busy', where: '/do/0/work/try/0/refuse' }],
  ['retry', {}, { calm: true }],
  ['wait', {}, { waited: true }],
  ['schemas', { name: 'Ada' }, { before: 'Hello, Ada', now: 'Hello, Ada' }],
  ['export', {}, { all: { name: 'Ada', count: 2 }, now: { count: 2 } }],
  ['timeout', {}, { outcome: 408 }],
  ['functions', { value: 4 }, 9],
  ['call-tool', { a: 20, b: 22 }, 42],
  ['run-workflow', { value: 3 }, { doubled: 12 }],
  [
    'variables',
    { order: { line: 5 } },
    {
      ...{ input: 5, raw: { line: 5 }, task: 'show', place: '/do/0/show', run: 36 },
      ...{
        workflow: { order: { line: 5 } },
        document: 'variables',
        runtime: 'holdfast',
        context: { line: 5 },
      },
      ...{ rawOutput: true, exported: { kept: 'show' } },
    },
  ],
  [
    'call-http',
    { petId: 7 },
    {
      found: { status: 200, sent: 'PUT', pet: { id: 7, name: 'REX' } },
      ...{ failed: 404, at: '/do/2/missing/try/0/ask' },
    },
  ],
  ['call-openapi', {}, { status: 201, sent: 'pets', pet: { id: 7, name: 'Rex II' } }],
];

describe('the examples', () => {
  test.each(outcomes)('run as the standard says: %s with %j', async (name, input, output) => {
    expect(await play(name, input)).toMatchObject({ status: 'completed', output });
  });

  test('end with the problem of the standard: raise', async () => {
    const error = { type: 'https://examples.test/errors/empty', status: 400, title: 'Empty' };
    expect(await play('raise', { count: 0 })).toMatchObject({
      ...{ status: 'faulted', output: null },
      error: { ...error, detail: 'there are 0 items', instance: '/do/0/stop' },
    });
  });

  test('end with the problem of the standard: document-timeout, and an input that does not fit its schema', async () => {
    const type = (name: string) => `https://serverlessworkflow.io/spec/1.0.0/errors/${name}`;
    expect(await play('document-timeout')).toMatchObject({
      ...{ status: 'faulted', error: { type: type('timeout'), status: 408 } },
    });
    expect(await play('schemas', {})).toMatchObject({
      ...{ status: 'faulted', error: { type: type('validation'), status: 400 } },
    });
  });
});

test('a routine version that another one names is run, and not the newest', async () => {
  const routineId = ids.get('doubled') ?? '';
  const text = await read('doubled');
  await scene.change(routineId, text.replace("version: '1.0.0'", "version: '2.0.0'").replace('* 2', '* 10'));
  expect(await play('run-workflow', { value: 3 })).toMatchObject({ output: { doubled: 60 } });
  played.add('doubled');
  const wanted = (await read('run-workflow')).replace(
    "doubled, version: '1.0.0'",
    "doubled, version: '9.0.0'",
  );
  const { id } = await scene.store(wanted.replace('name: run-workflow', 'name: run-unknown'));
  expect(await scene.end(await scene.start(id, { value: 3 }))).toMatchObject({
    ...{ status: 'faulted' },
    error: { status: 400, detail: 'there is no version 9.0.0 of the routine examples/doubled' },
  });
});

test('runs hear the events of another run: one, any and all', async () => {
  const [one, any, all] = [
    await start('listen-one'),
    await start('listen-any'),
    await start('listen-all', { order: 17 }),
  ];
  for (const runId of [one, any, all]) await scene.untilListening(runId);

  expect(await play('emit', { order: 17 })).toMatchObject({
    status: 'completed',
    output: {
      ...{ type: 'org.example.order.paid', source: 'https://shop.example.test', data: { order: 17 } },
      specversion: '1.0',
    },
  });
  expect(await scene.end(one)).toMatchObject({
    output: { subject: 'order-17', source: 'https://shop.example.test' },
  });
  expect(await scene.end(any)).toMatchObject({ output: { orders: [17, 0, 17] } });
  expect(await scene.end(all)).toMatchObject({ output: { orders: [17, 17] } });
});

test('a person answers the question of a routine', async () => {
  const runId = await start('ask', { name: 'Ada', amount: 20 });
  const { steps } = await scene.until(runId, (run) => run.steps.some(({ state }) => state === 'waiting'));
  const actionId = steps[0]?.waitsFor?.replace('action ', '') ?? '';
  await lab.decide(actionId, { decision: 'answer', answer: 'yes' });
  expect(await scene.end(runId)).toMatchObject({ status: 'completed', output: { paid: true } });
});

test('another agent answers in a turn of its own', async () => {
  const other = await lab.scene();
  other.reply({ text: 'A cherry.' });
  const run = await play('call-agent', { agentId: other.agent.id, color: 'red' });
  expect(run).toMatchObject({ status: 'completed', output: { fruit: 'A cherry.' } });
  expect(other.requests()[0]?.body.messages.at(-1)?.content).toBe('Name a red fruit.');
});

test('credentials of connections go to their origin, and never into data', async () => {
  const run = await play('authentication');
  expect(run).toMatchObject({
    status: 'completed',
    output: ['Basic [redacted]', 'Bearer [redacted]', 'Bearer [redacted]'],
  });
  const sent = pets.requests
    .filter(({ url }) => url.endsWith('/whoami'))
    .map(({ headers }) => headers.authorization);
  expect(sent).toEqual([
    `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`,
    'Bearer sk-pets-1234567890',
    'Bearer token-1',
  ]);
});

test('secrets are sent where the document has them, and redacted where a server repeats them', async () => {
  const run = await play('secrets', { text: '${ $secrets.pets.password }' });
  expect(run.status).toBe('completed');
  const sent = pets.requests.find(({ url }) => url.includes('/echo'));
  expect(sent?.headers['x-api-key']).toBe(key);
  expect(sent?.url).toBe('/echo?user=ada');
  expect(JSON.parse(sent?.body ?? '')).toEqual({ plain: '${ $secrets.pets.password }' });
  const told = JSON.stringify([run, await lab.readLedger(run.id), await lab.readEvents(run.conversationId)]);
  expect(told).not.toContain(key);
  expect(told).not.toContain(JSON.stringify(key).slice(1, -1));
  expect(told).toContain('[redacted]');
});

test.each([
  { where: 'another header', from: 'x-api-key:', to: 'x-copy:', place: 'the header x-copy' },
  {
    where: 'a query parameter',
    from: '$secrets.pets.username',
    to: '$secrets.pets.password',
    place: 'the query parameter user',
  },
])('a secret is not sent in $where that its connection does not name', async ({ where, from, to, place }) => {
  const text = (await read('secrets')).replace(from, to);
  const { id } = await scene.store(text.replace('name: secrets', `name: ${where.replaceAll(' ', '-')}`));
  const before = pets.requests.length;
  const detail = expect.stringContaining(`found it in ${place}`) as string;
  expect(await scene.end(await scene.start(id, { text: '' }))).toMatchObject({
    ...{ status: 'faulted' },
    error: { status: 403, title: 'EGRESS_REFUSED', detail },
  });
  expect(pets.requests.length).toBe(before);
});

test('a secret is not sent to another origin', async () => {
  const other = await startPetServer();
  cleanups.push(() => other.close());
  const text = (await read('secrets'))
    .replaceAll(pets.url, other.url)
    .replace('name: secrets', 'name: stolen');
  const { id } = await scene.store(text);
  expect(await scene.end(await scene.start(id, { text: '' }))).toMatchObject({
    ...{ status: 'faulted' },
    error: { status: 403, title: 'EGRESS_REFUSED' },
  });
  expect(other.requests).toEqual([]);
});

test('a routine whose secret is no connection is refused with its path', async () => {
  const text = (await read('secrets')).replace('pets-key]', 'pets-key, unknown]');
  await expect(scene.store(text)).rejects.toMatchObject({
    ...{ code: 'INVALID_INPUT' },
    details: [{ field: 'document/use/secrets/2' }],
  });
});

describe('a model without a turn', () => {
  const mood = { text: '{"mood":"glad"}', usage: { inputTokens: 10, outputTokens: 5 } };

  test('answers once, and its cost is that of its call', async () => {
    await setPrices(lab, lab, { '*': { input: 0, output: 0, perCall: 0.001 } });
    scene.reply(mood);
    const run = await play('call-model', { text: 'What a day!' });
    expect(run).toMatchObject({ status: 'completed', output: { mood: 'glad' } });
    const [request] = scene.requests().slice(-1);
    expect(request?.body).toMatchObject({ temperature: 0, max_tokens: 50 });
    expect(request?.body.messages).toMatchObject([
      { role: 'system', content: 'Answer with a JSON object that has the field "mood".' },
      { role: 'user', content: 'What a day!' },
    ]);
    expect(await lab.readTurn(run.id)).toMatchObject({ credits: '1000' });
    expect(await scene.readEntries(run.id)).toMatchObject([
      { part: 'model/1', kind: 'model', name: scene.agent.model, status: 'settled', credits: 1000 },
    ]);
    expect(await lab.readLedger(run.id)).toMatchObject([
      { name: 'model', status: 'succeeded', effect: 'idempotent' },
    ]);
  });

  test('is not called when a budget does not allow it, and the reservation of a failed call is given back', async () => {
    const budget = await createBudget(lab, lab, {
      scope: 'agent',
      subject: scene.agent.id,
      period: 'total',
      credits: 2_500n,
    });
    scene.reply({ status: 400, body: { error: { message: 'no' } } });
    const failed = await play('call-model', { text: 'Fails.' });
    expect(failed).toMatchObject({ status: 'faulted', error: { title: 'MODEL_REJECTED_REQUEST' } });
    expect(await scene.readEntries(failed.id)).toMatchObject([{ status: 'released', credits: 0 }]);
    await lab.database.system('budgets').where({ id: budget.id }).update({ credits: '1500' });
    const count = scene.requests().length;
    const refused = await play('call-model', { text: 'Too dear.' });
    expect(refused).toMatchObject({ status: 'faulted', error: { status: 403, title: 'BUDGET_EXCEEDED' } });
    expect(await lab.readTurn(refused.id)).toMatchObject({
      status: 'failed',
      error: { code: 'BUDGET_EXCEEDED' },
    });
    expect(scene.requests()).toHaveLength(count);
    await lab.database.system('budgets').delete();
  });
});
