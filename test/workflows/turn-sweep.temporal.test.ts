import { expect, test } from 'vitest';
import { newId } from '../../src/platform/lib/ids.ts';
import { recordWorkflow } from '../labs/histories.ts';
import { openForTests } from '../labs/open-for-tests.ts';
import { startTurnLab } from '../labs/turn-lab.ts';

const lab = openForTests(() => startTurnLab());

test('a run of the sweeper sweeps after each interval until its time is over', async () => {
  const { client, taskQueue } = lab;
  const workflowId = `sweep-${newId()}`;
  const args: [object] = [{ intervalMs: 300, durationMs: 1_500 }];
  const result: unknown = await client.workflow.execute('turnSweep', { taskQueue, workflowId, args });

  expect(result).toMatchObject({ turns: { started: 0, settled: 0 }, documents: { done: 0, failed: 0 } });
  const { events = [] } = await client.workflow.getHandle(workflowId).fetchHistory();
  const sweeps = events?.filter((event) => event.activityTaskScheduledEventAttributes) ?? [];
  const waits = events?.filter((event) => event.timerStartedEventAttributes) ?? [];
  expect(waits.length).toBeGreaterThan(0);
  expect(sweeps.length).toBeGreaterThan(Object.keys(result as object).length);
  await recordWorkflow(lab, 'turn-sweep', workflowId);
});
