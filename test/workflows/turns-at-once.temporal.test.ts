import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { withoutPlaces } from '../labs/turn-grounds.ts';

let lab: TurnLab;

beforeAll(async () => {
  lab = await startTurnLab({ environment: withoutPlaces });
});

afterAll(() => lab.close());

test('a worker calls the models of 45 direct turns in workflows at once', async () => {
  const { promise: allCalled, resolve } = Promise.withResolvers<undefined>();
  const ids = await Promise.all(
    Array.from({ length: 45 }, async () => {
      const scene = await lab.scene({ execution: 'direct' });
      scene.reply({ text: 'Hello.', until: allCalled });
      const id = await scene.say('Hi.');
      return { id, called: scene.waitForRequest(1) };
    }),
  );
  await Promise.all(ids.map(({ called }) => called));
  resolve(undefined);
  const turns = await Promise.all(ids.map(({ id }) => lab.waitForOutcome(id)));

  expect(new Set(turns.map(({ outcome }) => outcome))).toEqual(new Set(['completed']));
});
