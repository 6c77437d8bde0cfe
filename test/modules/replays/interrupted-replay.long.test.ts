import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { replayInputSchema, type Replay } from '../../../src/domain/replay.ts';
import { recordWorkflow } from '../../labs/histories.ts';
import { createKeylessActor } from '../../../src/domain/actor.ts';
import { createReplay } from '../../../src/modules/replays/create-replay.ts';
import {
  createReplayedAgent,
  readRuns,
  readSummary,
  recordConversation,
  startReplayLab,
  waitForReplay,
  type ReplayLab,
} from '../../labs/replay-scene.ts';

let scene: ReplayLab;
let agentId: string;

beforeAll(async () => {
  // Slow enough that a replay is still at work when it is paused or its worker is killed.
  scene = await startReplayLab({ worker: false, apiProcess: true, modelDelayMs: 50 });
  agentId = await recordCases();
});

afterAll(() => scene.close());

const cases = 24;

/** Records turns of one tool call each, with workers that stop afterwards. */
async function recordCases(): Promise<string> {
  const worker = await scene.lab.startWorkerProcess();
  const agent = await createReplayedAgent(scene);
  const record = (number: number) => {
    const rounds = [[{ tool: 'Looks', arguments: { query: `${number}` } }]];
    return recordConversation(scene, agent.id, [{ rounds, answer: `It is ${number}.` }]);
  };
  await Promise.all(Array.from({ length: cases }, (_, number) => record(number)));
  await worker.stop();
  return agent.id;
}

async function start(): Promise<string> {
  const { replay } = await scene.api.ask<{ replay: Replay }>('POST', '/api/replays', {
    ...{ selection: { agentId }, candidate: { instructions: 'Be brief.' } },
  });
  return replay.id;
}

function control(id: string, command: string) {
  return scene.api.call<{ replay: Replay }>('POST', `/api/replays/${id}/${command}`);
}

/** What a report says that does not depend on time. */
async function readOutcome(id: string) {
  const { cases, outside, calls, unasked, lanes, differences } = await readSummary(scene, id);
  const runs = await readRuns(scene, id);
  return {
    ...{ cases, outside, calls, unasked, differences },
    lanes: Object.values(lanes).map(({ passed, failed, outcomes, trajectories, usage }) => ({
      ...{ passed, failed, outcomes, trajectories, usage },
    })),
    runs: runs.map(({ position, lane, repeat, comparison }) => ({ position, lane, repeat, comparison })),
  };
}

test('a replay whose workers and API are killed reports the same as one without kills', async () => {
  const calm = await scene.lab.startWorkerProcess();
  const undisturbed = await start();
  await waitForReplay(scene, undisturbed);
  await calm.stop();

  const id = await start();
  for (const done of [6, 18, 30]) {
    const worker = await scene.lab.startWorkerProcess();
    await waitForReplay(scene, id, ({ runs }) => runs.done >= done);
    await worker.kill();
  }
  await scene.restartApi();
  const last = await scene.lab.startWorkerProcess();
  onTestFinished(() => last.kill());
  const ended = await waitForReplay(scene, id);

  expect(ended).toMatchObject({
    status: 'completed',
    runs: { total: 2 * cases, done: 2 * cases, failed: 0 },
  });
  expect(await readOutcome(id)).toEqual(await readOutcome(undisturbed));
  // Six starts of programs, and the heartbeats of three killed workers have to time out.
}, 180_000);

test('a paused replay goes on where it was, and a cancelled one ends with what it has', async () => {
  const worker = await scene.lab.startWorkerProcess();
  onTestFinished(() => worker.kill());
  const id = await start();
  await waitForReplay(scene, id, ({ runs }) => runs.done > 2);
  expect((await control(id, 'pause')).data.replay.status).toBe('paused');
  const paused = await settled(id);
  expect(paused.runs.done).toBeLessThan(2 * cases);

  expect((await control(id, 'resume')).data.replay.status).toBe('running');
  expect(await waitForReplay(scene, id)).toMatchObject({ status: 'completed', runs: { done: 2 * cases } });
  await recordWorkflow(scene.lab, 'batch-replay-paused', `replay-${id}`);
  expect(await control(id, 'pause')).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });

  const other = await start();
  await waitForReplay(scene, other, ({ runs }) => runs.done > 2);
  await control(other, 'cancel');
  const cancelled = await waitForReplay(scene, other);
  expect(cancelled.status).toBe('cancelled');
  expect((await readSummary(scene, other)).lanes.candidate?.runs).toBeGreaterThan(0);
  expect(cancelled.runs.done).toBeLessThan(2 * cases);
});

/** Waits until no run of a paused replay is under way any more. */
async function settled(id: string): Promise<Replay> {
  let before = -1;
  return waitForReplay(scene, id, ({ runs }) => {
    const isSame = runs.done === before;
    before = runs.done;
    return isSame;
  });
}

test('the sweeper starts a replay whose workflow was never started', async () => {
  const worker = await scene.lab.startWorkerProcess();
  onTestFinished(() => worker.kill());
  const actor = createKeylessActor(scene.lab.workspaceId, 'temporal');
  const { database } = scene.lab;
  const input = replayInputSchema.parse({ selection: { agentId }, baseline: false });
  const { id } = await createReplay(
    {
      ...{
        database,
        checkModelName: () => null,
        checkTools: () => [],
        logger: { warn: () => undefined, debug: () => undefined },
      },
      startReplay: () => Promise.reject(new Error('Temporal is away')),
    },
    actor,
    input,
  );
  await scene.lab.sweep();
  expect((await waitForReplay(scene, id, () => true)).cases).toBeNull();

  await database
    .system('replays')
    .where({ id })
    .update({ updated_at: new Date(0) });
  await scene.lab.sweep();
  expect(await waitForReplay(scene, id)).toMatchObject({
    status: 'completed',
    runs: { done: cases, failed: 0 },
  });
});
