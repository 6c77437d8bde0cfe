import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import { controlSwarm } from '../../../src/modules/swarms/control-swarm.ts';
import { endSwarm } from '../../../src/modules/swarms/end-swarm.ts';
import { updateSwarmState } from '../../../src/modules/swarms/update-swarm-state.ts';
import { eventually } from '../../labs/eventually.ts';
import { recordWorkflow } from '../../labs/histories.ts';
import { findSubtaskId, startSwarmLab, type SwarmLab } from '../../labs/swarm-scene.ts';

let scene: SwarmLab;

/** Subtasks whose names begin with `slow` do not end by themselves. */
beforeAll(async () => {
  scene = await startSwarmLab({
    answer: (body) => (findSubtaskId(body)?.startsWith('slow') ? { text: 'I am at', hang: true } : undefined),
  });
});

afterAll(() => scene.close());

async function startWith(ids: string[], more: object = {}) {
  const { id: assignee } = await scene.createAgent();
  const subtasks = ids.map((id) => ({ id, description: `Do ${id}.`, assignee }));
  return { assignee, swarm: await scene.start({ kind: 'rich', goal: 'End.', subtasks, ...more }) };
}

const place = (swarmId: string) => ({ workspaceId: scene.lab.workspaceId, swarmId });
const handle = (swarmId: string) => scene.lab.client.workflow.getHandle(`swarm-${swarmId}`);

function waitForStatus(swarmId: string, wanted: Record<string, string>) {
  return scene.waitFor(swarmId, ({ state }) =>
    Object.entries(wanted).every(
      ([id, status]) => state.subTasks.find((each) => each.id === id)?.status === status,
    ),
  );
}

describe.concurrent('a swarm', () => {
  test('that is ended by force stops all that runs, and begins nothing more', async () => {
    const { swarm } = await startWith(['slow', 'slower', 'late'], { limits: { concurrency: 2 } });
    const running = await waitForStatus(swarm.id, { slow: 'in_progress', slower: 'in_progress' });

    await endSwarm(scene.dependencies, place(swarm.id), { mode: 'force', reason: 'Enough.' });
    const ended = await scene.waitForEnd(swarm.id);
    await recordWorkflow(scene.lab, 'swarm-ended-by-force', `swarm-${swarm.id}`);

    expect(ended).toMatchObject({ status: 'ended', reason: 'Enough.', turnsUsed: 2 });
    expect(ended.state.subTasks).toMatchObject([
      { id: 'slow', status: 'failed', error: { code: 'TURN_CANCELLED' } },
      { id: 'slower', status: 'failed' },
      { id: 'late', status: 'todo', attempts: 0 },
    ]);
    for (const { turn_id: turnId } of running.state.subTasks.slice(0, 2)) {
      const turn = await scene.lab.waitForOutcome(turnId ?? '');
      expect(turn.outcome).toBe('cancelled');
    }
  });

  test('that is ended gracefully lets subtasks that run finish', async () => {
    const { swarm } = await startWith(['slow', 'late'], { limits: { concurrency: 1 } });
    const { state } = await waitForStatus(swarm.id, { slow: 'in_progress' });

    const ending = await endSwarm(scene.dependencies, place(swarm.id), { mode: 'graceful', reason: 'Late.' });
    expect(ending.status).toBe('ending');
    expect(await scene.lab.readTurn(state.subTasks[0]?.turn_id ?? '')).toMatchObject({ status: 'running' });
    await endSwarm(scene.dependencies, place(swarm.id), { mode: 'force', reason: 'Later.' });

    expect(await scene.waitForEnd(swarm.id)).toMatchObject({ status: 'ended', reason: 'Late.' });
  });

  test('stops at the end of its time, and says so', async () => {
    const { swarm } = await startWith(['slow'], { limits: { timeMs: 3_000 } });

    expect(await scene.waitForEnd(swarm.id)).toMatchObject({
      status: 'stopped',
      reason: 'The time limit of 3 seconds was reached. Done: 0 of 1 subtasks; left: slow.',
      state: { subTasks: [{ status: 'failed' }] },
    });
  });

  test('stops at its limits of turns and tokens once what runs has finished', async () => {
    const [turns, tokens] = await Promise.all([
      startWith(['a', 'b', 'c'], { limits: { turns: 2 } }),
      startWith(['a', 'b', 'c'], { limits: { tokens: 20, concurrency: 1 } }),
    ]);

    const byTurns = await scene.waitForEnd(turns.swarm.id);
    expect(byTurns).toMatchObject({
      status: 'stopped',
      reason: 'The limit of 2 turns was reached. Done: 2 of 3 subtasks; left: c.',
    });
    expect(byTurns.state.subTasks.map(({ status }) => status)).toEqual(['done', 'done', 'todo']);
    const byTokens = await scene.waitForEnd(tokens.swarm.id);
    expect(byTokens.reason).toMatch(/^The limit of 20 tokens was reached\. Done: [12] of 3 subtasks; left: /);
    expect(byTokens.tokensUsed).toBeGreaterThanOrEqual(20);
  });

  test('takes new subtasks while it runs, and none begins while it is paused', async () => {
    const { swarm, assignee } = await startWith(['slow']);
    await waitForStatus(swarm.id, { slow: 'in_progress' });
    await controlSwarm(scene.dependencies, place(swarm.id), 'pause');
    const set = [{ id: 'more', description: 'More.', assignee }];
    await updateSwarmState(scene.dependencies, place(swarm.id), {
      change: { subTasks: { set } },
      key: newId(),
    });
    await eventually(
      () => handle(swarm.id).query<{ status: string } | null>('swarmProgress'),
      (progress) => progress?.status === 'paused',
    );
    expect((await scene.read(swarm.id)).state.subTasks[1]).toMatchObject({ status: 'todo', attempts: 0 });

    await controlSwarm(scene.dependencies, place(swarm.id), 'resume');
    await waitForStatus(swarm.id, { more: 'done', slow: 'in_progress' });
    const change = { subTasks: { delete: ['slow'] } };
    await updateSwarmState(scene.dependencies, place(swarm.id), { change, key: newId() });

    expect(await scene.waitForEnd(swarm.id)).toMatchObject({
      status: 'completed',
      state: { subTasks: [{ id: 'more', result: 'Result of more.' }] },
    });
  });

  test('is changed and ended by updates of its workflow, which are checked', async () => {
    const { swarm, assignee } = await startWith(['slow']);
    await waitForStatus(swarm.id, { slow: 'in_progress' });
    const update = (name: string, ...body: object[]) =>
      handle(swarm.id).executeUpdate(name, { args: body as [object] });

    const set = [{ id: 'more', description: 'More.', assignee }];
    expect(await update('updateSwarm', { subTasks: { set } })).toEqual({ status: 'running' });
    await waitForStatus(swarm.id, { more: 'done' });
    await expect(update('updateSwarm', { tasks: [] })).rejects.toThrow();
    await expect(update('updateSwarm', { subTasks: { set: [{ id: 'x' }] } })).rejects.toThrow();
    expect(await update('pauseSwarm')).toEqual({ status: 'paused' });
    expect(await update('resumeSwarm')).toEqual({ status: 'running' });
    const shown = await handle(swarm.id).query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    expect(shown.currentDetails).toContain('1 of 2 subtasks');
    expect(shown.currentDetails).toContain('- … slow');
    expect(await update('endSwarm', { mode: 'force', reason: 'By hand.' })).toEqual({ status: 'ending' });

    expect(await scene.waitForEnd(swarm.id)).toMatchObject({ status: 'ended', reason: 'By hand.' });
  });

  test('whose workflow is cancelled is ended by force', async () => {
    const { swarm } = await startWith(['slow']);
    await waitForStatus(swarm.id, { slow: 'in_progress' });
    await handle(swarm.id).cancel();

    expect(await scene.waitForEnd(swarm.id)).toMatchObject({
      status: 'ended',
      reason: 'Its workflow was cancelled.',
      state: { subTasks: [{ status: 'failed' }] },
    });
  });

  test('continues as new with turns that run, and goes on after them', async () => {
    const { id: assignee } = await scene.createAgent();
    const subtasks = Array.from({ length: 9 }, (_, index) => ({
      ...{ id: `${index}`, description: 'Work.', assignee },
      ...(index > 2 ? { depends_on: [`${index - 3}`] } : {}),
    }));
    const swarm = await scene.start({ kind: 'rich', goal: 'Go on.', subtasks }, { turnsPerRun: 2 });
    const ended = await scene.waitForEnd(swarm.id);
    const { runId } = await handle(swarm.id).describe();

    expect(ended).toMatchObject({ status: 'completed', turnsUsed: 9 });
    const history = await handle(swarm.id).fetchHistory();
    const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    expect(started?.firstExecutionRunId).not.toBe(runId);
    await recordWorkflow(scene.lab, 'swarm-continued', `swarm-${swarm.id}`);
  });
});
