import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/main/config.ts';
import type { AgentTurnInput } from '../../../src/contract/turn-steps.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { connectTemporalWorker } from '../../../src/platform/temporal/connect-temporal-worker.ts';
import { connectTemporal, loadTemporalConfig } from '../../../src/platform/temporal/connect-temporal.ts';
import { createDataConverter } from '../../../src/platform/temporal/data-converter.ts';
import { ensureSweeperSchedule } from '../../../src/platform/work/sweeper-schedule.ts';
import { createTurnEngine } from '../../../src/modules/turns/turn-engine.ts';
import { loadWorkflowBundle } from '../../../src/platform/temporal/workflow-bundle.ts';
import { temporalAddress, uniqueTaskQueue } from '../../labs/temporal.ts';

let client: Client;
let close: () => Promise<void>;
const taskQueue = uniqueTaskQueue('engine');

beforeAll(() => {
  const temporal = connectTemporal(
    { TEMPORAL_ADDRESS: temporalAddress() },
    createDataConverter(loadConfig({})),
  );
  client = temporal.client;
  close = () => temporal.connection.close();
});

afterAll(() => close());

function createInput(): AgentTurnInput {
  return {
    workspaceId: newId(),
    agentId: newId(),
    conversationId: newId(),
    turnId: newId(),
    agentName: 'Demo',
    messagePreview: 'Hello',
    model: 'demo',
    execution: 'inspectable',
    limits: { activityTimeoutMs: 30_000, turnTimeoutMs: 90_000, absenceTimeoutMs: 0, maxIterations: 10 },
  };
}

describe('the turn engine', () => {
  test('starts one workflow for a turn, however many concurrent requests ask for it', async () => {
    const engine = createTurnEngine({ client, taskQueue });
    const input = createInput();
    await Promise.all(Array.from({ length: 10 }, () => engine.startTurn(input)));
    const description = await client.workflow.getHandle(`turn-${input.turnId}`).describe();

    expect(await engine.findTurnWorkflow(input.turnId)).toBe('running');
    expect(description.raw.executionConfig?.workflowRunTimeout?.seconds?.toNumber()).toBe(90);
    expect(description.raw.executionConfig?.defaultWorkflowTaskTimeout?.seconds?.toNumber()).toBe(5);
    await client.workflow.getHandle(`turn-${input.turnId}`).terminate();
  });

  test.each([
    ['with', true, { HoldfastAgentName: 'Support', HoldfastMessage: 'Hello', HoldfastPerson: 'ann' }],
    [
      'without',
      false,
      { HoldfastAgentName: undefined, HoldfastMessage: undefined, HoldfastPerson: undefined },
    ],
  ])(
    'starts workflows %s the message, the agent and the person in lists',
    async (_, listsMessages, expected) => {
      const engine = createTurnEngine({ client, taskQueue, listsMessages });
      const input = { ...createInput(), agentName: 'Support', person: 'ann' };
      await engine.startTurn(input);
      const handle = client.workflow.getHandle(`turn-${input.turnId}`);
      const { typedSearchAttributes } = await handle.describe();
      const found = Object.fromEntries(
        typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
      );

      expect(found).toMatchObject({ HoldfastConversation: input.conversationId });
      expect({ ...expected, ...found }).toEqual({ ...found, ...expected });
      await handle.terminate();
    },
  );

  test('starts the turn of a person whose name is longer than Temporal lists', async () => {
    const engine = createTurnEngine({ client, taskQueue, listsMessages: true });
    // The normal form of one character may have eighteen.
    const input = { ...createInput(), person: 'x'.repeat(3_600) };
    await engine.startTurn(input);
    const handle = client.workflow.getHandle(`turn-${input.turnId}`);
    const { typedSearchAttributes } = await handle.describe();
    const found = typedSearchAttributes.getAll().find(({ key }) => key.name === 'HoldfastPerson');
    expect(found?.value).toBe('x'.repeat(100));
    await handle.terminate();
  });

  test('gives the first task of a turn to a worker on the same connection, with the answer to the start', async () => {
    const dataConverter = createDataConverter(loadConfig({}));
    const environment = { TEMPORAL_ADDRESS: temporalAddress() };
    const { client: ownClient, connection } = await connectTemporalWorker(environment, dataConverter);
    const eagerQueue = uniqueTaskQueue('eager');
    const workflowBundle = await loadWorkflowBundle(dataConverter);
    const worker = await Worker.create({ connection, taskQueue: eagerQueue, workflowBundle });
    const engine = createTurnEngine({ client: ownClient, taskQueue: eagerQueue, startsEagerly: true });
    const input = createInput();
    const handle = ownClient.workflow.getHandle(`turn-${input.turnId}`);
    await worker.runUntil(async () => {
      await engine.startTurn(input);
      await handle.terminate();
    });
    const { events } = await handle.fetchHistory();
    await connection.close();

    expect(events?.[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted).toBe(true);
  });

  test('does not start a turn again when its workflow has ended', async () => {
    const engine = createTurnEngine({ client, taskQueue });
    const input = createInput();
    await engine.startTurn(input);
    const handle = client.workflow.getHandle(`turn-${input.turnId}`);
    const { runId } = await handle.describe();
    await handle.terminate();
    await engine.startTurn(input);

    expect(await engine.findTurnWorkflow(input.turnId)).toBe('closed');
    expect((await handle.describe()).runId).toBe(runId);
  });

  test('reports a turn that was never started as missing, and cancels it without an error', async () => {
    const engine = createTurnEngine({ client, taskQueue });
    const turnId = newId();

    expect(await engine.findTurnWorkflow(turnId)).toBe('missing');
    await expect(engine.cancelTurn(turnId)).resolves.toBeUndefined();
  });
});

test('the sweeper has one schedule, with the interval that was set last', async () => {
  const scheduleId = `holdfast-sweeper-${taskQueue}`;
  const ensure = (intervalMs: number) => ensureSweeperSchedule({ client, taskQueue, intervalMs });
  await Promise.all([ensure(86_400_000), ensure(86_400_000)]);
  await ensure(43_200_000);
  const handle = client.schedule.getHandle(scheduleId);
  const { spec, action, policies } = await handle.describe();

  expect(spec.intervals).toHaveLength(1);
  expect(action).toMatchObject({ workflowType: 'turnSweep', taskQueue, args: [{ intervalMs: 43_200_000 }] });
  expect(policies.overlap).toBe('BUFFER_ONE');
  await handle.delete();
});

test('the address and namespace come from the standard variables of Temporal', () => {
  expect(
    loadTemporalConfig({ TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_NAMESPACE: 'agents' }),
  ).toMatchObject({ connectionOptions: { address: 'temporal.example:7233' }, namespace: 'agents' });
});
