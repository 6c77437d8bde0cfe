import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { createRoutineScene, toDocument } from '../labs/routine-scene.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let lab: TurnLab;

beforeAll(async () => {
  lab = await startTurnLab();
});

afterAll(() => lab.close());

const runRoutine = {
  ...{ type: 'function' as const, name: 'run_routine', description: 'Runs routines.' },
  ...{ schema: { type: 'object' }, config: {} },
};

test('an agent starts a routine, gets the output of one that ends soon, and stops one that does not', async () => {
  const scene = await createRoutineScene(lab, { tools: [runRoutine] });
  const short = await scene.store(toDocument('short', "  - one: { set: { doubled: '${ .value * 2 }' } }"));
  const long = await scene.store(toDocument('long', '  - sleep: { wait: PT1H }'));
  const call = (given: JsonObject) => ({ toolCalls: [{ name: 'run_routine', arguments: given }] });
  scene.reply(
    call({ action: 'start', routineId: short.id, input: { value: 4 } }),
    call({ action: 'start', routineId: long.id, wait: false }),
    { text: 'Both are started.' },
  );

  const turnId = await scene.say('Start them.');
  expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed' });

  const [first, second] = (await lab.readLedger(turnId)).map(
    ({ result }) => JSON.parse(result ?? 'null') as object,
  );
  expect(first).toMatchObject({ status: 'completed', output: { doubled: 8 } });
  expect(second).toMatchObject({ status: 'running' });
  const { runId } = second as { runId: string };
  await scene.until(runId, ({ steps }) => steps.length === 1);

  scene.reply(call({ action: 'stop', runId, mode: 'now' }), call({ action: 'status', runId }), {
    text: 'Done.',
  });
  const stopping = await scene.say('Stop it.');
  expect(await lab.waitForOutcome(stopping)).toMatchObject({ outcome: 'completed' });
  expect(await scene.end(runId)).toMatchObject({ status: 'cancelled' });
});
