import { expect, onTestFinished, test } from 'vitest';
import { fetchTurnHistory, readHistoryTexts } from '../labs/histories.ts';
import { eventually } from '../labs/eventually.ts';
import { uniqueTaskQueue } from '../labs/temporal.ts';
import { startTurnLab } from '../labs/turn-lab.ts';

async function openLab(installationId: string, taskQueue: string) {
  const environment = { HOLDFAST_TASK_QUEUE: taskQueue };
  const lab = await startTurnLab({ worker: false, installationId, environment });
  onTestFinished(lab.close);
  return lab;
}

test('a worker of another installation refuses a turn, which then completes on a worker of its own', async () => {
  const taskQueue = uniqueTaskQueue('shared');
  const leftover = await openLab('leftover', taskQueue);
  const leftoverWorker = await leftover.startWorker();
  const lab = await openLab('stack', taskQueue);
  const { reply, say } = await lab.scene();
  reply({ text: 'Hello.' });
  const turnId = await say('Hello!');

  const isRefused = (texts: string[]) =>
    texts.some((text) => /belongs to the installation stack.*of the installation leftover/.test(text));
  await eventually(async () => readHistoryTexts(await fetchTurnHistory(lab, turnId)), isRefused);
  expect((await lab.readTurn(turnId)).status).toBe('running');

  await expect(lab.startWorker()).rejects.toThrow(
    /belongs to the installation leftover.*of the installation stack/,
  );

  await leftoverWorker.stop();
  for (const name of ['sweeper', 'removal'])
    await lab.client.schedule.getHandle(`holdfast-${name}-${taskQueue}`).delete();
  await lab.startWorker();
  expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed' });
});
