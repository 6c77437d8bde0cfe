import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { updateSwarmState } from '../../../src/modules/swarms/update-swarm-state.ts';
import { checkOrder, startSwarmLab, type SwarmLab } from '../../labs/swarm-scene.ts';
import { newId } from '../../../src/platform/lib/ids.ts';

let scene: SwarmLab;

beforeAll(async () => {
  // Slow enough that the swarm is at work when a worker is killed.
  scene = await startSwarmLab({ worker: false, delayMs: 300 });
});

afterAll(() => scene.close());

/** 20 subtasks in five rows of four, for five agents: each depends on two of the row before. */
function planRows(agentIds: string[]) {
  return Array.from({ length: 20 }, (_, index) => {
    const [row, column] = [Math.floor(index / 4), index % 4];
    const before = row === 0 ? [] : [`${row - 1}-${column}`, `${row - 1}-${(column + 1) % 4}`];
    const assignee = agentIds[index % agentIds.length] ?? '';
    return { id: `${row}-${column}`, description: `Work ${index}.`, assignee, depends_on: before };
  });
}

// Three processes start, and each kill costs the time after which Temporal takes a worker for dead.
test(
  'a swarm of 5 agents and 20 subtasks goes on through two kills, with 200 concurrent updates all there',
  { timeout: 180_000 },
  async () => {
    const agents = await Promise.all(
      [1, 2, 3, 4, 5].map((number) => scene.createAgent({ name: `Agent ${number}` })),
    );
    const first = await scene.lab.startWorkerProcess();
    const swarm = await scene.start({
      kind: 'rich',
      goal: 'Do all of it.',
      subtasks: planRows(agents.map(({ id }) => id)),
      limits: { concurrency: 4 },
    });
    const place = { workspaceId: scene.lab.workspaceId, swarmId: swarm.id };
    const countDone = (done: number) =>
      scene.waitFor(
        swarm.id,
        ({ state }) => state.subTasks.filter(({ status }) => status === 'done').length >= done,
      );

    await countDone(3);
    const updates = Array.from({ length: 200 }, (_, index) =>
      updateSwarmState(scene.dependencies, place, {
        change: { blackboard: { set: [{ id: `note ${index}`, value: index }] } },
        key: newId(),
      }),
    );
    await Promise.all([first.kill(), ...updates]);
    const second = await scene.lab.startWorkerProcess();
    await countDone(11);
    await second.kill();
    const third = await scene.lab.startWorkerProcess();
    onTestFinished(() => third.kill());
    const ended = await scene.waitForEnd(swarm.id);

    expect(ended).toMatchObject({ status: 'completed', reason: 'All subtasks are done.' });
    const { subTasks, blackboard } = ended.state;
    expect(subTasks).toHaveLength(20);
    expect(subTasks.filter(({ status }) => status !== 'done')).toEqual([]);
    expect(subTasks.map(({ id, result }) => result === `Result of ${id}.`)).toEqual(Array(20).fill(true));
    expect(checkOrder(subTasks)).toEqual([]);
    const notes = blackboard.map(({ id, value }) => [id, value]);
    expect(Object.fromEntries(notes)).toEqual(
      Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`note ${index}`, index])),
    );
    // No subtask was begun twice.
    expect(ended.turnsUsed).toBe(20);
  },
);
