import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { eventually } from '../labs/eventually.ts';
import { recordRuns } from '../labs/histories.ts';
import type { LabScene } from '../labs/turn-lab-scene.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

const webUiPage = readFileSync(new URL('../../docs/web-ui.md', import.meta.url), 'utf8');
let lab: TurnLab;

beforeEach(async () => {
  lab = await startTurnLab({ worker: false });
});

afterEach(() => lab.close());

async function waitForRunTimeout(turnId: string): Promise<void> {
  const handle = lab.client.workflow.getHandle(`turn-${turnId}`);
  await eventually(
    async () => (await handle.describe()).status.name,
    (status) => status === 'TIMED_OUT',
  );
}

async function listIds(query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of lab.client.workflow.list({ query })) ids.push(workflowId);
  return ids;
}

/** Starts a turn that no worker begins before its workflow is timed out. */
async function sayToNobody(scene: LabScene): Promise<string> {
  const turnId = await scene.say('Is anybody there?');
  await waitForRunTimeout(turnId);
  await lab.database
    .system('turns')
    .where({ id: turnId })
    .update({ deadline_at: new Date(Date.now() - 1000) });
  return turnId;
}

describe('a turn that no worker has begun before its workflow was timed out', () => {
  test('is started again by the sweeper, with its whole time', async () => {
    const scene = await lab.scene({ limits: { turnTimeoutMs: 3_000, absenceTimeoutMs: 0 } });
    const turnId = await sayToNobody(scene);
    scene.reply({ text: 'I am.' });
    await lab.startWorker();
    await lab.sweep();
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'I am.' });
    expect(scene.requests()).toHaveLength(1);
    const row = await lab.database.system('turns').where({ id: turnId }).first<{ restarts: number }>();
    expect(row.restarts).toBe(0);
  });

  test('ends with a message of its own when it has waited for too long', async () => {
    const scene = await lab.scene({
      limits: { turnTimeoutMs: 2_000, startTimeoutMs: 1_000, absenceTimeoutMs: 0 },
    });
    const turnId = await sayToNobody(scene);
    await lab.startWorker();
    await lab.sweep();
    // The sweep with which a worker starts may have taken it first.
    const turn = await lab.waitUntilSettled(turnId);

    expect(turn).toMatchObject({ outcome: 'timed_out', error: { code: 'TURN_NOT_STARTED' } });
    expect(turn.answer).toBe('The turn was stopped: no worker was free to begin it. Try again later.');
    expect(turn.error?.message).toContain('No worker began the turn within 1 seconds.');
    expect(turn.error?.message).toContain('limits.startTimeoutMs');
    expect(scene.requests()).toHaveLength(0);
  });

  test.each(['Timed out', 'Failed turns'])('is in the view "%s" of the documentation', async (view) => {
    const scene = await lab.scene({ limits: { turnTimeoutMs: 2_000, absenceTimeoutMs: 0 } });
    const turnId = await sayToNobody(scene);
    const row = webUiPage.split('\n').find((line) => line.startsWith(`| ${view} `));
    const query = /`(.+)`/.exec(row ?? '')?.[1] ?? '';
    const found = await eventually(
      () => listIds(query),
      (ids) => ids.includes(`turn-${turnId}`),
    );

    expect(found).toContain(`turn-${turnId}`);
  });

  test('waits as long as its workspace says when its agent says nothing', async () => {
    await lab.database
      .system('workspaces')
      .where({ id: lab.workspaceId })
      .update({ start_timeout_ms: 1_500 });
    const scene = await lab.scene({ limits: { turnTimeoutMs: 2_000, absenceTimeoutMs: 0 } });
    const turnId = await sayToNobody(scene);
    await lab.startWorker();
    await lab.sweep();

    expect((await lab.waitUntilSettled(turnId)).error?.message).toContain('within 1.5 seconds');
  });
});

describe('a turn that waits for a worker while its workflow runs', () => {
  test.for(executionModes)('has its whole time from its first step in %s execution', async (execution) => {
    const scene = await lab.scene({ execution, limits: { turnTimeoutMs: 12_000, absenceTimeoutMs: 0 } });
    // Without a fresh run the workflow would end 12 s after its start, 5 s after its first step.
    scene.reply({ text: 'It took me a while.', chunkDelayMs: 1_000 });
    const turnId = await scene.say('Take your time.');
    await sleep(7_000);
    await lab.startWorker();
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'It took me a while.' });
    const { startedAt, deadlineAt } = turn;
    expect(Date.parse(deadlineAt ?? '') - Date.parse(startedAt ?? '')).toBeGreaterThan(18_000);
    await recordRuns(lab, `late-worker-${execution}`, turnId);
  });

  test('begins in the run that has waited when that run has time for the whole turn', async () => {
    const scene = await lab.scene({ limits: { turnTimeoutMs: 4_000 } });
    scene.reply({ text: 'I am here.' });
    const turnId = await scene.say('Is anybody there?');
    await sleep(1_500);
    await lab.startWorker();
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'I am here.' });
    // A new run would wait behind all other turns, and those behind it.
    const { raw, runId } = await lab.client.workflow.getHandle(`turn-${turnId}`).describe();
    expect(raw.workflowExecutionInfo?.firstRunId).toBe(runId);
  });

  test('ends with a message of its own when a worker comes too late', async () => {
    const scene = await lab.scene({ limits: { turnTimeoutMs: 12_000, startTimeoutMs: 2_000 } });
    const turnId = await scene.say('Hurry.');
    await sleep(4_000);
    await lab.startWorker();
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'timed_out', error: { code: 'TURN_NOT_STARTED' }, iterations: 0 });
    expect(scene.requests()).toHaveLength(0);
  });
});
