import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRoutineScene, toDocument, type RoutineScene } from '../../labs/routine-scene.ts';
import { fetchTurnHistory } from '../../labs/histories.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

let lab: TurnLab;
let scene: RoutineScene;

beforeAll(async () => {
  lab = await shareTurnLab();
  scene = await createRoutineScene(lab);
});

afterAll(() => lab.close());

const double = '"${ [.n] | add * 2 }"';

const races = {
  compete: `  - race:
      fork:
        compete: true
        branches:
          - one: { set: { value: ${double} } }
          - two: { set: { value: ${double} } }`,
  raise: `  - attempt:
      try:
        - both:
            fork:
              branches:
                - one: { raise: { error: { type: 'https://example.com/failed', status: 400, title: ${double} } } }
                - two: { set: { value: ${double} } }
                - three: { set: { value: ${double} } }
      catch: { as: caught }`,
};

async function failedTasks(runId: string): Promise<string[]> {
  const { events } = await fetchTurnHistory(lab, runId);
  return (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
    failed ? [failed.failure?.message ?? ''] : [],
  );
}

test.each(Object.entries(races))(
  'expressions that end together with their scope end once (%s)',
  async (name, tasks) => {
    const { id } = await scene.store(toDocument(name, tasks));
    const runs = await Promise.all(Array.from({ length: 10 }, () => scene.start(id, { n: 4 })));
    const ended = await Promise.all(runs.map((run) => scene.end(run)));
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect((await Promise.all(runs.map(failedTasks))).flat()).toEqual([]);
  },
);

test('a task ends at its timeout while its expression is evaluated', async () => {
  const slow = {
    set: { n: '${ reduce range(1e9) as $n (0; $n) }' },
    timeout: { after: { milliseconds: 200 } },
  };
  const { id } = await scene.store(toDocument('slow', `  - slow: ${JSON.stringify(slow)}`));
  expect(await scene.end(await scene.start(id))).toMatchObject({
    status: 'faulted',
    error: { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/timeout', instance: '/do/0/slow' },
  });
});
