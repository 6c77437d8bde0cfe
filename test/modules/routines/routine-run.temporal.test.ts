import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createRoutineScene, toDocument, type RoutineScene } from '../../labs/routine-scene.ts';
import { recordWorkflow } from '../../labs/histories.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startPetServer } from '../../servers/pet-server.ts';

let lab: TurnLab;
let scene: RoutineScene;

beforeAll(async () => {
  lab = await shareTurnLab();
  scene = await createRoutineScene(lab);
});

afterAll(() => lab.close());

async function play(document: string, input = {}) {
  const { id } = await scene.store(document);
  return scene.end(await scene.start(id, input));
}

test('a routine runs to its end, with the state, the times and the output of each step', async () => {
  const example = new URL('../../../examples/routines/fork.yaml', import.meta.url);
  const run = await play(await readFile(example, 'utf8'), { of: 3 });

  expect(run).toMatchObject({ status: 'completed', output: { names: ['slow', 'fast'], of: 3 }, error: null });
  await recordWorkflow(lab, 'routine-fork', `turn-${run.id}`);
  expect(run.steps.map(({ name, state }) => [name, state])).toEqual(
    expect.arrayContaining([
      ['both', 'completed'],
      ['pause', 'completed'],
      ['name', 'completed'],
    ]),
  );
});

test('a workflow with the ids of another workspace, or of another conversation, is refused', async () => {
  const run = await play(toDocument('ended', '  - set: { set: { a: 1 } }'));
  const { id: runId, agentId, conversationId } = run;
  const place = { workspaceId: lab.workspaceId, runId, agentId, conversationId };
  for (const wrong of [{ workspaceId: newId() }, { conversationId: newId() }, { agentId: newId() }]) {
    const foreign = lab.client.workflow.execute('routineRun', {
      ...{ workflowId: newId(), taskQueue: lab.taskQueue },
      args: [{ ...place, ...wrong }],
    });
    await expect(foreign).rejects.toMatchObject({ cause: { cause: { type: 'NOT_FOUND' } } });
  }
  expect(await scene.read(runId)).toEqual(run);
});

const sums = {
  for: { each: 'item', in: '${ [range(2)] }' },
  do: [
    { add: { set: { n: '${ .n + $item + 1 }' } } },
    { check: { set: { n: '${ .n + 0 }' }, output: { schema: { document: { required: ['n'] } } } } },
  ],
};

test('a routine evaluates its expressions and checks its data', async () => {
  const run = await play(toDocument('sums', `  - sums: ${JSON.stringify(sums)}`), { n: 1 });

  expect(run).toMatchObject({ status: 'completed', output: { n: 4 } });
  await recordWorkflow(lab, 'routine-expressions', `turn-${run.id}`);
});

test('branches evaluate their expressions and check their data at the same time', async () => {
  const all = { fork: { branches: ['one', 'two', 'three'].map((name) => ({ [name]: sums })) } };
  const run = await play(toDocument('branches', `  - all: ${JSON.stringify(all)}`), { n: 1 });

  expect(run).toMatchObject({ status: 'completed', output: [{ n: 4 }, { n: 4 }, { n: 4 }] });
  await recordWorkflow(lab, 'routine-branches', `turn-${run.id}`);
});

test('a call is in the ledger of its turn, and its result is data', async () => {
  const run = await play(
    toDocument(
      'calls',
      '  - sum: { call: calculate, with: { expression: 20 + 22 } }\n  - after: { set: { sum: "${ . }" } }',
    ),
  );
  expect(run).toMatchObject({ status: 'completed', output: { sum: 42 } });
  expect(await lab.readLedger(run.id)).toMatchObject([
    { name: 'calculate', status: 'succeeded', iteration: 1 },
  ]);
});

test('APIs, a model, an agent and another routine are called one after the other', async () => {
  const pets = await startPetServer();
  onTestFinished(() => pets.close());
  const other = await lab.scene();
  other.reply({ text: 'A lemon.' });
  scene.reply({ text: '{"mood":"fine"}' });
  await scene.store(toDocument('called', "  - give: { set: { given: '${ .name }' } }"));
  const tasks = `  - pet: { call: http, with: { method: get, endpoint: '${pets.url}/api/pets/4' } }
  - add: { call: openapi, with: { document: { endpoint: '${pets.url}/swagger.json' }, operationId: addPet, parameters: { body: { name: '\${ .name }' } } } }
  - again: { call: openapi, with: { document: { endpoint: '${pets.url}/swagger.json' }, operationId: addPet, parameters: { body: { name: Rex } } } }
  - feel: { call: model, with: { prompt: How do you feel? }, output: { as: .mood } }
  - fruit: { call: agent, with: { agentId: ${other.agent.id}, message: Name a fruit. } }
  - run: { run: { workflow: { namespace: test, name: called, version: latest, input: { name: '\${ . }' } } } }`;
  const run = await play(toDocument('calls-all', tasks));
  expect(run).toMatchObject({ status: 'completed', output: { given: 'A lemon.' } });
  expect(run.steps.map(({ outputPreview }) => outputPreview)).toEqual([
    ...Array.from({ length: 3 }, () => expect.stringContaining('"name":"Rex"') as string),
    ...['fine', 'A lemon.', '{"given":"A lemon."}'],
  ]);
  // The document of the API is kept between the calls.
  expect(pets.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    ...['GET /api/pets/4', 'GET /swagger.json', 'POST /api/pets', 'POST /api/pets'],
  ]);
  await recordWorkflow(lab, 'routine-calls', `turn-${run.id}`);
});

test('headers, query and parameters of a call are expressions as a whole', async () => {
  const pets = await startPetServer();
  onTestFinished(() => pets.close());
  const [headers, query] = ['${ .headers }', '${ {page: (.page + 1)} }'];
  const get = { call: 'http', with: { method: 'get', endpoint: `${pets.url}/api/pets/4`, headers, query } };
  const document = { endpoint: `${pets.url}/swagger.json` };
  const add = { call: 'openapi', with: { document, operationId: 'addPet', parameters: '${ .parameters }' } };
  const wrong = { call: 'http', with: { method: 'get', endpoint: pets.url, headers: '${ .page }' } };
  const tasks = { get, add, wrong };
  const input = { headers: { 'x-kind': 'dog' }, page: 1, parameters: { body: { name: 'Rex' } } };
  const list = Object.entries(tasks).map(
    ([name, task]) => `  - ${name}: ${JSON.stringify({ ...task, input: { from: '$workflow.input' } })}`,
  );

  const run = await play(toDocument('whole-parts', list.join('\n')), input);

  expect(run).toMatchObject({
    status: 'faulted',
    error: {
      type: expect.stringMatching(/validation$/) as string,
      detail: '"headers" of the call is not an object',
    },
  });
  expect(pets.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    ...['GET /api/pets/4?page=2', 'GET /swagger.json', 'POST /api/pets'],
  ]);
  expect(pets.requests[0]?.headers).toMatchObject({ 'x-kind': 'dog' });
});

test('a question waits for a person, whose answer is the output', async () => {
  const { id } = await scene.store(
    toDocument('asks', '  - ask: { call: ask_user, with: { question: How many? } }'),
  );
  const runId = await scene.start(id);
  const waiting = await scene.until(runId, ({ steps }) => steps.some(({ state }) => state === 'waiting'));
  const actionId = waiting.steps[0]?.waitsFor?.replace('action ', '') ?? '';

  await lab.decide(actionId, { decision: 'answer', answer: 'Seven' });

  expect(await scene.end(runId)).toMatchObject({ status: 'completed', output: 'Seven' });
  await recordWorkflow(lab, 'routine-question', `turn-${runId}`);
});

test('an error that nothing catches ends the run and its turn', async () => {
  const run = await play(toDocument('raises', '  - bad: { call: no_such_tool, with: {} }'));
  expect(run).toMatchObject({
    status: 'faulted',
    error: {
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/configuration',
      status: 400,
      instance: '/do/0/bad',
    },
  });
  expect(await lab.readTurn(run.id)).toMatchObject({ status: 'failed' });
});

test('a paused run begins no step, and goes on when it is resumed', async () => {
  const { id } = await scene.store(
    toDocument('pauses', '  - first: { wait: { milliseconds: 500 } }\n  - second: { set: { done: true } }'),
  );
  const runId = await scene.start(id);
  await scene.until(runId, ({ steps }) => steps.length === 1);
  expect(await scene.control(runId, { name: 'pause' })).toMatchObject({ status: 'paused' });
  await scene.until(runId, ({ steps }) => steps[0]?.state === 'completed');
  expect((await scene.read(runId)).steps).toHaveLength(1);

  await scene.control(runId, { name: 'resume' });

  expect(await scene.end(runId)).toMatchObject({ status: 'completed', output: { done: true } });
});

test.each(['graceful', 'now'] as const)('a run that waits is stopped (%s)', async (mode) => {
  const { id } = await scene.store(toDocument(`stops-${mode}`, '  - sleep: { wait: PT1H }'));
  const runId = await scene.start(id);
  await scene.until(runId, ({ steps }) => steps.length === 1);

  await scene.control(runId, { name: 'stop', mode });

  const run = await scene.end(runId);
  expect(run).toMatchObject({ status: 'cancelled', steps: [{ state: 'cancelled' }] });
  await expect(scene.control(runId, { name: 'pause' })).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('runs tell each other events, and a run waits for another run', async () => {
  const inner = toDocument(
    'emitter',
    `  - tell: { emit: { event: { with: { type: test.ready, source: 'https://test', data: { value: '\${ .value }' } } } } }
  - give: { set: { told: '\${ .data.value }' } }`,
  );
  await scene.store(inner);
  const { id } = await scene.store(
    toDocument(
      'listener',
      `  - both:
      fork:
        branches:
          - hear: { listen: { to: { one: { with: { type: test.ready } } } } }
          - tell:
              do:
                - later: { wait: { milliseconds: 700 } }
                - run: { run: { workflow: { namespace: test, name: emitter, version: '1.0.0', input: { value: 5 } } } }`,
    ),
  );
  const run = await scene.end(await scene.start(id));
  expect(run).toMatchObject({ status: 'completed', output: [[{ value: 5 }], { told: 5 }] });
  await recordWorkflow(lab, 'routine-events', `turn-${run.id}`);
});

test('the same key finds the same run', async () => {
  const { id } = await scene.store(toDocument('keyed', '  - one: { set: { a: 1 } }'));
  const [first, second] = [
    await scene.start(id, {}, { idempotencyKey: 'key' }),
    await scene.start(id, {}, { idempotencyKey: 'key' }),
  ];
  expect(second).toBe(first);
  await expect(scene.start(id, { other: true }, { idempotencyKey: 'key' })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
});
