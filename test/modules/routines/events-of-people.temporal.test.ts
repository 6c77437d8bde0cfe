import { afterAll, beforeAll, expect, test } from 'vitest';
import { emitEvent } from '../../../src/modules/routines/runs/emit-event.ts';
import { createBoundKey } from '../../labs/bound-key.ts';
import { createRoutineScene, toDocument } from '../../labs/routine-scene.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

let lab: TurnLab;
beforeAll(async () => {
  lab = await shareTurnLab();
});
afterAll(() => lab.close());

test('an event of a key for one person reaches the runs of that person alone, also by a run that it starts', async () => {
  const scene = await createRoutineScene(lab);
  const [ann, bob] = [await createBoundKey(lab, 'Ann'), await createBoundKey(lab, 'Bob')];
  const listener = await scene.store(
    toDocument('listener', '  - hear: { listen: { to: { one: { with: { type: order.paid } } } } }'),
  );
  const emitter = await scene.store(
    toDocument(
      'emitter',
      `  - tell: { emit: { event: { with: { type: order.paid, source: "https://example.com/test", data: { by: run } } } } }`,
    ),
  );
  const listen = async (startedBy: typeof ann | null) => {
    const run = await scene.start(listener.id, {}, { startedBy });
    await scene.untilListening(run);
    return run;
  };
  const outputOf = async (run: string) => (await scene.end(run)).output;
  const event = (by: string) => ({ type: 'order.paid', source: 'test', data: { by } });
  const others = [await listen(bob), await listen(null)];

  const first = await listen(ann);
  const actor = { workspaceId: lab.workspaceId, apiKeyId: ann.apiKeyId, actsFor: 'Ann' };
  await emitEvent(scene.dependencies, { ...actor, reach: 'own' }, event('Ann'));
  expect(await outputOf(first)).toEqual([{ by: 'Ann' }]);

  const second = await listen(ann);
  await scene.end(await scene.start(emitter.id, {}, { startedBy: ann }));
  expect(await outputOf(second)).toEqual([{ by: 'run' }]);

  const third = await listen(ann);
  await scene.emit(event('an operator'));
  for (const run of [...others, third]) expect(await outputOf(run)).toEqual([{ by: 'an operator' }]);
});
