import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RoutineRunDetails, RoutineStep } from '../../../src/domain/routine.ts';
import { eventually } from '../../labs/eventually.ts';
import { createRoutineScene, type RoutineScene } from '../../labs/routine-scene.ts';
import type { LabScene } from '../../labs/turn-lab-scene.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import type { ChatRequestBody } from '../../servers/scripted-model.ts';
import { startHttpServer, type HttpServer } from '../../servers/http-server.ts';

let lab: TurnLab;
let scene: RoutineScene;
let other: LabScene;
let server: HttpServer;

/** Answers the requests that calls have made to the server and the model, by the id of their run. */
const open = new Map<string, () => void>();

beforeAll(async () => {
  server = await startHttpServer(
    (request, response) => void open.set(request.url?.slice(1) ?? '', () => response.end('done')),
  );
  lab = await shareTurnLab();
  scene = await createRoutineScene(lab);
  other = await lab.scene();
  await scene.store(
    toText('child', [{ hear: { listen: { to: { one: { with: { type: '${ $workflow.input.gate }' } } } } } }]),
  );
});

afterAll(async () => {
  await lab.close();
  await server.close();
});

/** Lets the step of a run that is held come to its end. */
type Release = (run: RoutineRunDetails) => Promise<unknown>;

const emit: Release = ({ id }) => scene.emit({ source: 'https://test', type: id, data: 'heard' });

const answer: Release = ({ steps }) => {
  const actionId = steps.find(({ waitsFor }) => waitsFor !== null)?.waitsFor?.replace('action ', '');
  return lab.decide(actionId ?? '', { decision: 'answer', answer: 'Seven' });
};

const respond: Release = ({ id }) => Promise.resolve(open.get(id)?.());

/** Answers a model call when its run is released; its message ends with the id of the run. */
function answerLater({ messages }: ChatRequestBody) {
  const released = Promise.withResolvers<null>();
  open.set(messages.at(-1)?.content?.slice(-36) ?? '', () => released.resolve(null));
  return { text: 'Seven', until: released.promise };
}

const time: Release = () => Promise.resolve();

interface HeldTask {
  tasks: object[];
  /** The state of the step `held` while it is held. */
  state: RoutineStep['state'];
  /** The text that tells what it waits for. */
  waitsFor?: RegExp;
  release: Release;
  /** Whether a graceful stop lets the step end: it does something that cannot be taken back. */
  ends?: boolean;
}

const listen = { listen: { to: { one: { with: { type: '${ $workflow.id }' } } } } };
const hear = { held: listen };
const isAnEvent = { state: 'waiting', waitsFor: /^an event$/, release: emit } as const;
const isACall = { state: 'running', release: respond, ends: true } as const;
const next = { next: { set: { next: true } } };
const isATime = /^\d{4}-\d\d-\d\dT/;

/** The kinds of tasks that take time, each with a step `held` that is held until it is released. */
const held: Record<string, () => HeldTask> = {
  listen: () => ({ tasks: [hear], ...isAnEvent }),
  wait: () => ({
    tasks: [{ held: { wait: { seconds: 2 } } }],
    ...{ state: 'waiting', waitsFor: isATime, release: time },
  }),
  do: () => ({ tasks: [{ outer: { do: [hear, next] } }], ...isAnEvent }),
  for: () => ({
    tasks: [{ loop: { for: { each: 'item', in: '[1, 2]' }, do: [hear, next], while: '$index < 1' } }],
    ...isAnEvent,
  }),
  fork: () => ({
    tasks: [
      {
        both: {
          fork: { branches: [{ one: { do: [hear, next] } }, { two: { do: [{ also: listen }, next] } }] },
        },
      },
    ],
    ...isAnEvent,
  }),
  'fork with a call in another branch': () => ({
    tasks: [
      {
        both: {
          fork: {
            branches: [
              {
                held: {
                  call: 'http',
                  with: { method: 'get', endpoint: `\${ "${server.url}/" + $workflow.id }` },
                },
              },
              { also: { wait: { seconds: 3 } } },
            ],
          },
        },
      },
    ],
    ...isACall,
  }),
  'fork with compete': () => ({
    tasks: [{ race: { fork: { compete: true, branches: [hear, { late: { wait: { hours: 1 } } }] } } }],
    ...isAnEvent,
  }),
  switch: () => ({
    tasks: [
      hear,
      { choose: { switch: [{ yes: { when: '.[0] == "heard"', then: 'next' } }] } },
      { never: { set: { a: 1 } } },
      next,
    ],
    ...isAnEvent,
  }),
  try: () => ({ tasks: [{ guarded: { try: [hear, next], catch: { errors: {} } } }], ...isAnEvent }),
  'try between two attempts': () => ({
    tasks: [
      {
        held: {
          try: [{ fail: { raise: { error: { type: 'https://test/refused', status: 409 } } } }],
          catch: {
            retry: { delay: { seconds: 2 }, backoff: { exponential: {} }, limit: { attempt: { count: 1 } } },
            do: [next],
          },
        },
      },
    ],
    ...{ state: 'waiting', waitsFor: isATime, release: time },
  }),
  'call of http': () => ({
    tasks: [
      { held: { call: 'http', with: { method: 'get', endpoint: `\${ "${server.url}/" + $workflow.id }` } } },
    ],
    ...isACall,
  }),
  'call of a function': () => ({
    tasks: [
      {
        held: { call: 'http_request', with: { method: 'GET', url: `\${ "${server.url}/" + $workflow.id }` } },
      },
    ],
    ...isACall,
  }),
  'call of an agent': () => {
    lab.model.reply(answerLater, answerLater, answerLater);
    const given = { agentId: other.agent.id, message: '${ "For \\($workflow.id)" }' };
    return { tasks: [{ held: { call: 'agent', with: given } }], ...isACall };
  },
  'call of a person': () => ({
    tasks: [{ held: { call: 'ask_user', with: { question: 'How many?' } } }],
    ...{ state: 'waiting', waitsFor: /^action /, release: answer },
  }),
  'run of a workflow': () => ({
    tasks: [
      {
        held: {
          run: {
            workflow: {
              namespace: 'test',
              name: 'child',
              version: '1.0.0',
              input: { gate: '${ $workflow.id }' },
            },
          },
        },
      },
    ],
    ...{ state: 'waiting', waitsFor: /^run /, release: emit },
  }),
};

describe.each(Object.entries(held))('at a %s', (name, toTask) => {
  test('a run is paused after the step, resumed, stopped gracefully and at once, and tells its status', async () => {
    const task = toTask();
    const { id } = await scene.store(toText(name.replaceAll(' ', '-'), task.tasks));
    await Promise.all([pausesAndGoesOn(id, task), stopsGracefully(id, task), stopsNow(id, task)]);
  });
});

/** A task of each kind. */
const kinds: Record<string, object> = {
  call: { call: 'calculate', with: { expression: '1 + 1' } },
  do: { do: [next] },
  emit: { emit: { event: { with: { type: 'test.never', source: 'https://test' } } } },
  for: { for: { each: 'item', in: '[1]' }, do: [next] },
  fork: { fork: { branches: [next] } },
  listen,
  raise: { raise: { error: { type: 'https://test/refused', status: 409 } } },
  run: { run: { workflow: { namespace: 'test', name: 'child', version: '1.0.0' } } },
  set: { set: { a: 1 } },
  switch: { switch: [{ go: { then: 'continue' } }] },
  try: { try: [next], catch: { errors: {} } },
  wait: { wait: { hours: 1 } },
};

test('a paused run begins no task of any kind, and a stop ends it there', async () => {
  const gate: HeldTask = { tasks: [], ...isAnEvent };
  const run = async ([name, task]: [string, object]) => {
    const { id } = await scene.store(toText(`before-${name}`, [hear, { [name]: task }]));
    const waiting = await startHeld(id, gate);
    await scene.control(waiting.id, { name: 'pause' });
    await release(waiting, gate);
    await scene.control(waiting.id, { name: 'stop', mode: 'graceful' });
    const { status, steps } = await scene.end(waiting.id);
    return [name, status, steps.map((step) => `${step.name} ${step.state}`)];
  };
  expect(await Promise.all(Object.entries(kinds).map(run))).toEqual(
    Object.keys(kinds).map((name) => [name, 'cancelled', ['held completed']]),
  );
});

async function pausesAndGoesOn(routineId: string, task: HeldTask) {
  const run = await startHeld(routineId, task);
  expect(await scene.control(run.id, { name: 'pause' })).toMatchObject({ status: 'paused' });
  const paused = await release(run, task);
  expect(paused.steps).toHaveLength(run.steps.length);

  await scene.control(run.id, { name: 'resume' });

  const ended = await scene.end(run.id);
  expect(ended).toMatchObject({ status: 'completed', output: { done: true } });
  for (const step of ended.steps) expect(step.endedAt).not.toBeNull();
  expect(ended.steps.at(-1)).toMatchObject({
    name: 'after',
    state: 'completed',
    outputPreview: '{"done":true}',
  });
}

async function stopsGracefully(routineId: string, task: HeldTask) {
  const run = await startHeld(routineId, task);
  await scene.control(run.id, { name: 'stop', mode: 'graceful' });
  if (task.ends) await release(run, task);
  const ended = await scene.end(run.id);
  expect(ended).toMatchObject({ status: 'cancelled', error: null });
  expect(ended.steps).toHaveLength(run.steps.length);
  expect(find(ended)?.state).toBe(task.ends ? 'completed' : 'cancelled');
}

async function stopsNow(routineId: string, task: HeldTask) {
  const run = await startHeld(routineId, task);
  await scene.control(run.id, { name: 'stop', mode: 'now' });
  const ended = await scene.end(run.id);
  expect(ended).toMatchObject({ status: 'cancelled', error: null });
  expect(find(ended)?.state).toBe('cancelled');
  await expect(scene.control(run.id, { name: 'resume' })).rejects.toMatchObject({ code: 'CONFLICT' });
}

function find({ steps }: RoutineRunDetails): RoutineStep | undefined {
  return steps.find(({ name }) => name === 'held');
}

/** Starts a run and waits until its step is held; its status tells what the step does. */
async function startHeld(routineId: string, { state, waitsFor, ends }: HeldTask): Promise<RoutineRunDetails> {
  const runId = await scene.start(routineId);
  const run = await scene.until(runId, (one) => find(one)?.state === state);
  if (ends) await eventually(() => open.has(runId), Boolean);
  expect(run.status).toBe('running');
  const step = find(run);
  expect(step).toMatchObject({ endedAt: null, outputPreview: null, error: null });
  expect(Date.parse(step?.startedAt ?? '')).toBeGreaterThan(0);
  if (waitsFor) expect(step?.waitsFor).toMatch(waitsFor);
  else expect(step?.waitsFor).toBeNull();
  return run;
}

/** Releases the step, and waits until it is not held any more. */
async function release(run: RoutineRunDetails, task: HeldTask): Promise<RoutineRunDetails> {
  const isReleased = (one: RoutineRunDetails) => find(one)?.state !== task.state;
  for (;;) {
    const before = await scene.read(run.id);
    if (isReleased(before)) return before;
    await task.release(before);
    // An event that comes before the step listens is none of its events.
    await sleep(200);
  }
}

function toText(name: string, tasks: object[]): string {
  const document = { dsl: '1.0.0', namespace: 'test', name, version: '1.0.0' };
  return JSON.stringify({ document, do: [...tasks, { after: { set: { done: true } } }] });
}
