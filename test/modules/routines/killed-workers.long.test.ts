import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { RoutineStep } from '../../../src/domain/routine.ts';
import { createCleanups } from '../../labs/cleanups.ts';
import { createRoutineScene, toDocument } from '../../labs/routine-scene.ts';
import { startTurnLab } from '../../labs/turn-lab.ts';

const cleanups = createCleanups();

test(
  'a routine of all kinds of tasks, which also asks a person, runs to its end through two killed workers',
  { timeout: 180_000 },
  async () => {
    const lab = await startTurnLab({ worker: false });
    cleanups.push(() => lab.close());
    const scene = await createRoutineScene(lab);
    await scene.store(toDocument('inner', "  - double: { set: { doubled: '${ .value * 2 }' } }"));
    const everything = await readFile(new URL('everything.yaml', import.meta.url), 'utf8');
    const { id } = await scene.store(everything);
    const first = await lab.startWorkerProcess();
    const runId = await scene.start(id);

    await scene.until(runId, ({ steps }) => steps.some(({ name }) => name === 'pause'));
    await first.kill();
    const second = await lab.startWorkerProcess();
    const isAsking = ({ name, state }: RoutineStep) => name === 'ask' && state === 'waiting';
    const { steps } = await scene.until(runId, (one) => one.steps.some(isAsking));
    await second.kill();
    const actionId = steps.find(isAsking)?.waitsFor?.replace('action ', '') ?? '';
    await lab.decide(actionId, { decision: 'answer', answer: 'Yes' });
    const third = await lab.startWorkerProcess();

    const run = await scene.end(runId);
    expect(run).toMatchObject({
      status: 'completed',
      output: { heard: 7, inner: 12, answer: 'Yes', status: 409, seen: ['start'] },
    });
    const ledger = await lab.readLedger(runId);
    expect(ledger.map(({ name, status }) => [name, status])).toEqual([
      ...Array.from({ length: 3 }, () => ['calculate', 'succeeded']),
      ['ask_user', 'succeeded'],
    ]);
    await third.stop();
  },
);
