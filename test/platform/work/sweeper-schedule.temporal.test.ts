import type { Client } from '@temporalio/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../../src/main/config.ts';
import { connectTemporal } from '../../../src/platform/temporal/connect-temporal.ts';
import { createDataConverter } from '../../../src/platform/temporal/data-converter.ts';
import { ensureSweeperSchedule, reviveSweeper } from '../../../src/platform/work/sweeper-schedule.ts';
import { eventually } from '../../labs/eventually.ts';
import { temporalAddress, uniqueTaskQueue } from '../../labs/temporal.ts';

let client: Client;
let close: () => Promise<void>;
let schedule: Parameters<typeof reviveSweeper>[0];

beforeEach(() => {
  const environment = { TEMPORAL_ADDRESS: temporalAddress() };
  const temporal = connectTemporal(environment, createDataConverter(loadConfig({})));
  client = temporal.client;
  schedule = { client, taskQueue: uniqueTaskQueue('sweeper'), intervalMs: 1000 };
  close = async () => {
    await findSchedule().delete();
    await temporal.connection.close();
  };
});

afterEach(() => close());

function findSchedule() {
  return client.schedule.getHandle(`holdfast-sweeper-${schedule.taskQueue}`);
}

async function waitForRuns(count: number) {
  return eventually(
    async () => {
      const { info } = await findSchedule().describe();
      return info.runningActions.map(({ workflow }) => workflow);
    },
    ({ length }) => length === count,
  );
}

test('a sweeper that was terminated is started again', async () => {
  await ensureSweeperSchedule(schedule);
  const before = await waitForRuns(1);
  await client.workflow.getHandle(before[0]?.workflowId ?? '').terminate('by an operator');
  await waitForRuns(0);
  await reviveSweeper(schedule);

  expect(await waitForRuns(1)).not.toEqual(before);
});

test('a sweeper that runs is left alone', async () => {
  await ensureSweeperSchedule(schedule);
  const before = await waitForRuns(1);
  await reviveSweeper(schedule);

  expect(await waitForRuns(1)).toEqual(before);
});

test('a schedule that is gone is created again', async () => {
  await ensureSweeperSchedule(schedule);
  await waitForRuns(1);
  await findSchedule().delete();
  await reviveSweeper(schedule);

  expect(await findSchedule().describe()).toMatchObject({
    scheduleId: `holdfast-sweeper-${schedule.taskQueue}`,
  });
});
