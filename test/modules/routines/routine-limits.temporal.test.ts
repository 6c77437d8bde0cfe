import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRoutineRunRepository } from '../../../src/modules/routines/runs/routine-run-repository.ts';
import { mostShownSteps } from '../../../src/domain/routine.ts';
import { setPrices } from '../../../src/modules/credits/workspace-prices.ts';
import { setRoutineLimit } from '../../../src/modules/workspaces/settings/set-routine-limit.ts';
import { createRoutineScene, toDocument, type RoutineScene } from '../../labs/routine-scene.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

let lab: TurnLab;
let scene: RoutineScene;
beforeAll(async () => {
  lab = await shareTurnLab();
  scene = await createRoutineScene(lab);
});
afterAll(() => lab.close());

const limit = (of: 'steps' | 'hours' | 'credits', number: string) =>
  setRoutineLimit(lab, lab.workspaceId, { of, number });

/** A loop within a loop, which sets something so many times; a handler that catches everything stands around it. */
const loops = (name: string, times: number) =>
  toDocument(
    name,
    `  - guarded:
      try:
        - outer:
            for: { each: a, in: '\${ [range(${times})] }' }
            do:
              - inner:
                  for: { each: b, in: '\${ [range(${times})] }' }
                  do: [{ one: { set: { value: '\${ $b }' } } }]
      catch: { do: [{ caught: { set: { caught: true } } }] }`,
  );

test('a run ends at the limit of steps of its workspace, which nothing in it catches, and the limit can be raised', async () => {
  await limit('steps', '40');
  const { id } = await scene.store(loops('many', 20));
  const run = await scene.end(await scene.start(id));
  expect(run).toMatchObject({
    status: 'faulted',
    error: {
      status: 500,
      title: 'ROUTINE_LIMIT_REACHED',
      detail: expect.stringContaining('40 steps') as string,
    },
  });
  expect(run.steps.at(-1)?.number).toBe(40);
  await limit('steps', 'default');
  const all = await scene.end(await scene.start(id));
  expect(all).toMatchObject({ status: 'completed' });

  // 1 try, 1 outer loop, 20 inner ones, and 400 sets.
  expect(all.steps.at(-1)?.number).toBe(422);
  const pages = await lab.database.pipelined(lab.workspaceId, (query) => {
    const runs = createRoutineRunRepository(query);
    const page = (after: number) => runs.listSteps(all.id, { after, most: 300 });
    return Promise.all([page(0), page(300)]);
  });
  expect(pages.flat().map(({ number }) => number)).toEqual(
    Array.from({ length: 422 }, (_, index) => index + 1),
  );
});

test('a run shows its newest steps', async () => {
  const { id } = await scene.store(loops('more', 23));
  const run = await scene.end(await scene.start(id));
  expect(run.status).toBe('completed');
  expect(run.steps).toHaveLength(mostShownSteps);
  expect(run.steps.at(-1)?.number).toBe(2 + 23 + 23 * 23);
});

test('a run that has cost its credits calls nothing any more, together with the runs that it starts', async () => {
  await setPrices(lab, lab, { '*': { input: 0, output: 0, perCall: 0.001 } });
  await limit('credits', '2000');
  const call = '{ call: model, with: { prompt: Hello } }';
  await scene.store(toDocument('inner', `  - ask: ${call}`));
  const { id } = await scene.store(
    toDocument(
      'outer',
      `  - first: ${call}
  - below: { run: { workflow: { namespace: test, name: inner, version: latest, input: {} } } }
  - guarded: { try: [{ third: ${call} }], catch: { do: [{ caught: { set: { caught: true } } }] } }
  - fourth: ${call}`,
    ),
  );
  scene.reply({ text: 'One.' }, { text: 'Two.' });
  const before = scene.requests().length;
  const run = await scene.end(await scene.start(id));
  expect(run).toMatchObject({
    status: 'faulted',
    error: {
      status: 403,
      title: 'ROUTINE_LIMIT_REACHED',
      instance: expect.stringContaining('fourth') as string,
    },
  });
  expect(run.error?.['detail']).toContain('2000 credits');
  expect(scene.requests()).toHaveLength(before + 2);

  await limit('credits', 'default');
  scene.reply({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }, { text: 'Four.' });
  expect(await scene.end(await scene.start(id))).toMatchObject({ status: 'completed' });
});

test.each(['0', '-1', '1.5', 'many', '1000001'])('a limit of %s steps is refused', async (number) => {
  await expect(limit('steps', number)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
