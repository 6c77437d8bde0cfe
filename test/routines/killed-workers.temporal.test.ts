import { setTimeout as sleep } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createCleanups } from '../labs/cleanups.ts';
import { createRoutineScene, toDocument } from '../labs/routine-scene.ts';
import { startTurnLab } from '../labs/turn-lab.ts';

const cleanups = createCleanups();

test(
  'a routine of all kinds of tasks runs to its end through two killed workers',
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
    await scene.until(runId, ({ steps }) => steps.some(({ name }) => name === 'hear'));
    await sleep(300);
    await second.kill();
    const third = await lab.startWorkerProcess();

    const run = await scene.end(runId);
    expect(run).toMatchObject({
      status: 'completed',
      output: { heard: 7, inner: 12, status: 409, seen: ['start'] },
    });
    const ledger = await lab.readLedger(runId);
    expect(ledger.map(({ name, status }) => [name, status])).toEqual(
      Array.from({ length: 3 }, () => ['calculate', 'succeeded']),
    );
    await third.stop();
  },
);
