import { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { expect, onTestFinished, test } from 'vitest';
import { fetchTurnHistory, readHistoryTexts } from '../labs/histories.ts';
import { eventually } from '../labs/eventually.ts';
import { uniqueTaskQueue } from '../labs/temporal.ts';
import { createWorker } from '../../src/main/create-worker.ts';
import { loadConfig } from '../../src/main/config.ts';
import { createLogger } from '../../src/main/logger.ts';
import { ensureSweeperSchedule } from '../../src/platform/work/sweeper-schedule.ts';
import { createDataConverter } from '../../src/platform/temporal/data-converter.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { ensureTemporalLogger } from '../labs/turn-lab-worker.ts';

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

test('a worker leaves a task queue that has come to belong to another installation', async () => {
  const taskQueue = uniqueTaskQueue('shared');
  const leftover = await openLab('leftover', taskQueue);
  const config = loadConfig(leftover.environment);
  const logger = createLogger(config, 'worker');
  ensureTemporalLogger(logger);
  const { databaseUrl } = leftover;
  const worker = await createWorker({ config, databaseUrl, logger, reviveSweeperEveryMs: 200 });
  const ended = worker.run();

  await takeOverQueue(leftover, taskQueue);
  await expect(ended).rejects.toThrow(/belongs to the installation stack/);
});

/** Leaves the sweeper's schedule as the installation `stack` writes it. */
async function takeOverQueue({ client, environment }: TurnLab, taskQueue: string): Promise<void> {
  const [codec] = createDataConverter({
    ...loadConfig(environment),
    installationId: 'stack',
  }).payloadCodecs;
  const encode = (payloads: Payload[]) => codec.encode(payloads);
  const decode = (payloads: Payload[]) => Promise.resolve(payloads);
  const dataConverter = { payloadCodecs: [{ encode, decode }] };
  const stack = new Client({ connection: client.connection, dataConverter });
  await ensureSweeperSchedule({ client: stack, taskQueue, intervalMs: 86_400_000 });
}
