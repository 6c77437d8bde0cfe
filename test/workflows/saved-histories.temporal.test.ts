import { Worker } from '@temporalio/worker';
import { beforeAll, expect, test } from 'vitest';
import { bundleWorkflows, turnWorkerOptions } from '../../src/temporal/worker-options.ts';
import { createLogger } from '../../src/logger.ts';
import { installTemporalLogger } from '../../src/temporal/temporal-logger.ts';
import { readSavedHistories } from '../helpers/histories.ts';

const histories = readSavedHistories();
let workflowBundle: Awaited<ReturnType<typeof bundleWorkflows>>;

beforeAll(async () => {
  installTemporalLogger(createLogger({ logLevel: 'silent' }, 'replay'));
  workflowBundle = await bundleWorkflows();
});

const { reuseV8Context } = turnWorkerOptions;

test('a history of each kind of turn is saved', () => {
  expect(histories.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'cancelled-fast',
      'cancelled-inspectable',
      'completed-fast',
      'completed-inspectable',
      'iteration-limit-fast',
      'iteration-limit-inspectable',
      'timed-out-fast',
      'timed-out-inspectable',
      'tool-failure-fast',
      'tool-failure-inspectable',
    ]),
  );
});

test.each(histories)('the saved history $name replays', async ({ history, workflowId }) => {
  await Worker.runReplayHistory({ workflowBundle, reuseV8Context }, history, workflowId);
});

test('a history that the workflow would not make is refused', async () => {
  const saved = histories.find(({ name }) => name === 'tool-failure-inspectable');
  const changed = JSON.parse(
    JSON.stringify(saved?.history ?? {}).replaceAll('"name":"executeToolCall"', '"name":"doSomethingElse"'),
  ) as unknown;

  await expect(
    Worker.runReplayHistory({ workflowBundle, reuseV8Context }, changed, saved?.workflowId),
  ).rejects.toThrow(/[Nn]ondeterminism|determinis/);
});
