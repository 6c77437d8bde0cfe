import { Worker } from '@temporalio/worker';
import { beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/main/config.ts';
import { createDataConverter } from '../../src/temporal/data-converter.ts';
import { turnWorkerOptions } from '../../src/temporal/worker-options.ts';
import { loadWorkflowBundle } from '../../src/temporal/workflow-bundle.ts';
import { createLogger } from '../../src/main/logger.ts';
import { readSavedHistories } from '../labs/histories.ts';
import { ensureTemporalLogger } from '../labs/turn-lab-worker.ts';

const histories = readSavedHistories();
let workflowBundle: Awaited<ReturnType<typeof loadWorkflowBundle>>;

beforeAll(async () => {
  ensureTemporalLogger(createLogger({ logLevel: 'silent' }, 'replay'));
  workflowBundle = await loadWorkflowBundle(createDataConverter(loadConfig({})));
});

const { reuseV8Context } = turnWorkerOptions;

test('a history of each kind of turn is saved', () => {
  expect(histories.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'agent-tool-fast',
      'agent-tool-former-fast',
      'agent-tool-inspectable',
      'cancelled-fast',
      'cancelled-former-fast',
      'cancelled-inspectable',
      'completed-fast',
      'completed-former-fast',
      'completed-inspectable',
      'completed-former-inspectable',
      'iteration-limit-fast',
      'iteration-limit-former-fast',
      'iteration-limit-inspectable',
      'timed-out-fast',
      'timed-out-former-fast',
      'timed-out-inspectable',
      'tool-failure-fast',
      'tool-failure-former-fast',
      'tool-failure-inspectable',
      'workflow-tool-fast',
      'workflow-tool-former-fast',
      'workflow-tool-inspectable',
      'webhook-delivery',
    ]),
  );
});

test.each(histories)('the saved history $name can be replayed', async ({ history, workflowId }) => {
  await Worker.runReplayHistory({ workflowBundle, reuseV8Context }, history, workflowId);
});

/** A history of before such calls were children: then they were steps like all others. */
function withAgentCalls(history: unknown): unknown {
  return JSON.parse(JSON.stringify(history), (key, value: unknown) => {
    const text = key === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : '';
    if (!text.includes('"toolCalls":[{')) return value;
    return Buffer.from(text.replaceAll('"type":"mcp"', '"type":"agent"')).toString('base64');
  });
}

test.each(['inspectable', 'former-fast'])(
  'a turn in %s execution can be replayed when its agent calls were recorded as steps',
  async (execution) => {
    const saved = histories.find(({ name }) => name === `tool-failure-${execution}`);
    const history = withAgentCalls(saved?.history);
    expect(history).not.toEqual(saved?.history);

    await Worker.runReplayHistory({ workflowBundle, reuseV8Context }, history, saved?.workflowId);
  },
);

test('a history that differs from the workflow is refused', async () => {
  const saved = histories.find(({ name }) => name === 'tool-failure-inspectable');
  const changed = JSON.parse(
    JSON.stringify(saved?.history ?? {}).replaceAll('"name":"executeToolCall"', '"name":"doSomethingElse"'),
  ) as unknown;

  await expect(
    Worker.runReplayHistory({ workflowBundle, reuseV8Context }, changed, saved?.workflowId),
  ).rejects.toThrow(/[Nn]ondeterminism|determinis/);
});
