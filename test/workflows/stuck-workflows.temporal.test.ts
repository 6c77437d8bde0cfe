import proto from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import { createKeylessActor } from '../../src/domain/actor.ts';
import { createReplayRepository } from '../../src/modules/replays/replay-repository.ts';
import { countStuckWorkflows, findStuck } from '../../src/platform/work/stuck-workflow-repository.ts';
import { HoldfastError } from '../../src/domain/errors.ts';
import { replayInputSchema } from '../../src/domain/replay.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { loadConfig } from '../../src/main/config.ts';
import { controlReplay } from '../../src/modules/replays/control-replay.ts';
import { createReplay } from '../../src/modules/replays/create-replay.ts';
import { connectTemporal } from '../../src/platform/temporal/connect-temporal.ts';
import { createDataConverter } from '../../src/platform/temporal/data-converter.ts';
import { createReplayEngine } from '../../src/modules/replays/replay-engine.ts';
import { ensureSweeperSchedule, reviveSweeper } from '../../src/platform/work/sweeper-schedule.ts';
import { endSwarm } from '../../src/modules/swarms/end-swarm.ts';
import { controlSwarm } from '../../src/modules/swarms/control-swarm.ts';
import { submitTurn } from '../../src/modules/turns/submit-turn.ts';
import { eventually } from '../labs/eventually.ts';
import { coreTool } from '../labs/core-tool.ts';
import { createRoutineScene, toDocument } from '../labs/routine-scene.ts';
import { startSwarmLab, type SwarmLab } from '../labs/swarm-scene.ts';
import type { TurnLab } from '../labs/turn-lab.ts';

let swarms: SwarmLab;
let lab: TurnLab;

beforeAll(async () => {
  swarms = await startSwarmLab({ environment: { HOLDFAST_STUCK_AFTER_MS: '0' } });
  lab = swarms.lab;
});

afterAll(() => swarms.close());

/** Sends a signal that no worker of the lab accepts: from then on each task of the workflow fails. */
async function breakWorkflow(workflowId: string): Promise<void> {
  const foreign = createDataConverter({ ...loadConfig(lab.environment), installationId: newId() });
  const { client, connection } = connectTemporal(lab.environment, foreign);
  await client.workflow.getHandle(workflowId).signal('unreadable', 'signal');
  await connection.close();
}

/** Continues a workflow from before the signal, as an operator does. */
async function mendWorkflow(workflowId: string): Promise<void> {
  const { client } = lab;
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const completed = events?.findLast((event) => event.workflowTaskCompletedEventAttributes);
  await client.workflowService.resetWorkflowExecution({
    ...{ namespace: client.options.namespace, workflowExecution: { workflowId }, requestId: newId() },
    workflowTaskFinishEventId: completed?.eventId ?? null,
    resetReapplyType: proto.temporal.api.enums.v1.ResetReapplyType.RESET_REAPPLY_TYPE_NONE,
  });
}

/** Sweeps until work is as it is wanted. */
function sweepUntil<Work>(read: () => Promise<Work>, isWanted: (work: Work) => boolean): Promise<Work> {
  const look = async () => {
    expect(await lab.sweep()).toMatchObject({ 'stuck workflows': { failed: 0 } });
    return read();
  };
  return eventually(look, isWanted);
}

const toCode = (error: unknown): unknown => (error instanceof HoldfastError ? error.code : error);
const isStuck = ({ stuck }: { stuck?: object | undefined }): boolean => stuck !== undefined;
const stuck = {
  since: expect.any(String) as string,
  cause: expect.stringContaining('installation') as string,
};

/** A turn that waits for a person, and a message that waits for the turn. */
async function startWaitingTurn(execution: ExecutionMode) {
  const tools = [coreTool('calculate', { approval: 'ask' })];
  const { id: agentId } = await swarms.createAgent({ execution, tools });
  const turnId = await swarms.say({ agentId, message: 'Call calculate {"expression": "1 + 1"}' });
  await lab.waitForActions(turnId);
  const { conversationId } = await lab.readTurn(turnId);
  const nextId = newId();
  const input = { message: 'And now?', onBusy: 'enqueue' as const };
  await submitTurn(lab.turns, lab, { conversationId, turnId: nextId, input });
  return { turnId, nextId };
}

test.each(executionModes)(
  'a stuck turn that is %s is shown, and fails when it is cancelled; the next message gets its turn',
  async (execution) => {
    const { turnId, nextId } = await startWaitingTurn(execution);
    await breakWorkflow(`turn-${turnId}`);
    const shown = await sweepUntil(() => lab.readTurn(turnId), isStuck);
    expect(shown).toMatchObject({ status: 'waiting_for_approval', stuck });

    expect(await lab.cancelTurn(turnId)).toEqual({ running: true });
    await lab.sweep();
    const ended = await lab.readTurn(turnId);
    expect(ended).toMatchObject({ outcome: 'failed', error: { code: 'WORKFLOW_STUCK' } });
    expect(ended).not.toHaveProperty('stuck');
    expect(await lab.waitForOutcome(nextId)).toMatchObject({ outcome: 'completed' });
    expect(await countStuckWorkflows(lab.database.system)).toBe(0);
  },
);

describe('a stuck run of a routine', () => {
  async function startStuckRun(name: string) {
    const scene = await createRoutineScene(lab);
    const { id } = await scene.store(toDocument(name, '  - rest: { wait: { hours: 1 } }'));
    const runId = await scene.start(id);
    await scene.until(runId, ({ steps }) => steps.length === 1);
    await breakWorkflow(`turn-${runId}`);
    await sweepUntil(() => scene.read(runId), isStuck);
    return { scene, runId };
  }

  test('is shown, refuses to pause, and is faulted when it is stopped', async () => {
    const { scene, runId } = await startStuckRun('stopped');
    await expect(scene.control(runId, { name: 'pause' })).rejects.toMatchObject({ code: 'WORKFLOW_STUCK' });
    const stopped = await scene.control(runId, { name: 'stop', mode: 'graceful' });
    expect(stopped).toMatchObject({ status: 'running', stuck });
    await lab.sweep();
    expect(await scene.read(runId)).toMatchObject({
      status: 'faulted',
      error: { title: 'WORKFLOW_STUCK', detail: stuck.cause },
    });
    expect(await scene.control(runId, { name: 'stop', mode: 'now' }).catch(toCode)).toBe('CONFLICT');
  });

  test('that progresses again is stuck no longer', async () => {
    const { scene, runId } = await startStuckRun('mended');
    await mendWorkflow(`turn-${runId}`);
    const mended = await sweepUntil(
      () => scene.read(runId),
      (run) => !isStuck(run),
    );
    expect(mended).toMatchObject({ status: 'running', steps: [{ state: 'waiting' }] });
    await scene.control(runId, { name: 'stop', mode: 'now' });
    expect(await scene.end(runId)).toMatchObject({ status: 'cancelled' });
  });
});

test('a stuck swarm is shown, and has ended after it was ended', async () => {
  const { id: assignee } = await swarms.createAgent();
  const subtasks = [{ id: 'wait', description: 'Call nothing.', assignee }];
  const swarm = await swarms.start({ kind: 'rich', goal: 'Get stuck.', subtasks });
  const place = { workspaceId: lab.workspaceId, swarmId: swarm.id };
  await controlSwarm(swarms.dependencies, place, 'pause');
  await breakWorkflow(`swarm-${swarm.id}`);
  expect(await sweepUntil(() => swarms.read(swarm.id), isStuck)).toMatchObject({ stuck });

  const ending = { mode: 'force', reason: 'Enough.' } as const;
  expect(await endSwarm(swarms.dependencies, place, ending)).toMatchObject({ status: 'ending' });
  await lab.sweep();
  expect(await swarms.waitForEnd(swarm.id)).toMatchObject({ status: 'ended', reason: 'Enough.' });
});

test('a stuck replay is shown, and has ended after it was cancelled', async () => {
  const { database, workspaceId } = lab;
  const { startReplay } = createReplayEngine(lab);
  const logger = { warn: () => undefined, debug: () => undefined };
  const checks = { checkModelName: () => null, checkTools: () => [] };
  const dependencies = { database, logger, startReplay, ...checks };
  const input = replayInputSchema.parse({ selection: {} });
  const { id: replayId } = await createReplay(
    { ...dependencies, startReplay: () => Promise.resolve() },
    createKeylessActor(workspaceId, 'temporal'),
    input,
  );
  await controlReplay(dependencies, lab, { replayId, command: 'pause' });
  await breakWorkflow(`replay-${replayId}`);
  const read = () =>
    database.pipelined(workspaceId, (query) =>
      Promise.all([createReplayRepository(query).getReplay(replayId), findStuck(query, replayId)]),
    );
  await sweepUntil(read, ([, found]) => isStuck(found));

  await controlReplay(dependencies, lab, { replayId, command: 'cancel' });
  await lab.sweep();
  const [ended, found] = await eventually(read, ([{ settledAt }]) => settledAt !== null);
  expect([ended.status, found]).toEqual(['cancelled', {}]);
});

test('a sweeper that is stuck is seen by those who look after it', async () => {
  const schedule = { client: lab.client, taskQueue: lab.taskQueue, intervalMs: 60_000 };
  await ensureSweeperSchedule(schedule);
  const { info } = await eventually(
    () => lab.client.schedule.getHandle(`holdfast-sweeper-${lab.taskQueue}`).describe(),
    (described) => described.info.runningActions.length === 1,
  );
  const workflowId = info.runningActions[0]?.workflow.workflowId ?? '';
  expect(await reviveSweeper(schedule)).toBeNull();
  await breakWorkflow(workflowId);
  expect(
    await eventually(
      () => reviveSweeper(schedule),
      (failure) => failure !== null,
    ),
  ).toEqual(stuck);
  await lab.client.workflow.getHandle(workflowId).terminate();
});
