import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRoutineScene, toDocument } from '../../labs/routine-scene.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

let lab: TurnLab;

beforeAll(async () => {
  lab = await shareTurnLab();
});

afterAll(() => lab.close());

test('a routine of 2,000 steps continues as new, and stores each step', { timeout: 240_000 }, async () => {
  const scene = await createRoutineScene(lab);
  const tasks = `  - count:
      for: { each: number, in: '[range(700)]' }
      do:
        - add:
            call: calculate
            with: { expression: '\${ "\\(.sum // 0) + \\($number)" }' }
        - name: { set: { sum: '\${ . }' } }
        - keep: { set: { sum: '\${ .sum }' } }`;
  const { id } = await scene.store(toDocument('long', tasks));
  const runId = await scene.start(id);
  // Looked at seldom: each look reads all steps.
  for (let waits = 0; waits < 100 && (await scene.read(runId)).settledAt === null; waits += 1)
    await sleep(2_000);
  const run = await scene.read(runId);

  expect(run).toMatchObject({ status: 'completed', output: { sum: 244_650 } });
  expect(run.steps).toHaveLength(2_101);
  const workflow = await lab.client.workflow.getHandle(`turn-${run.id}`).describe();
  expect(workflow.raw.workflowExecutionInfo?.firstRunId).not.toBe(workflow.runId);
  expect(workflow.historyLength).toBeLessThan(5_000);
});
