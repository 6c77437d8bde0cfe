import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Plan } from '../servers/planned-model.ts';
import {
  createReplayedAgent,
  readRuns,
  readSummary,
  recordConversation,
  replay,
  startReplayLab,
  type ReplayLab,
} from '../labs/replay-scene.ts';

let scene: ReplayLab;

beforeAll(async () => {
  scene = await startReplayLab();
});

afterAll(() => scene.close());

const lookUp = (query: string) => ({ tool: 'Looks', arguments: { query } });
const add = (item: string) => ({ tool: 'Adds', arguments: { item } });

/** Plans of a conversation with so many turns, whose tool calls are its own. */
function planConversation(number: number, turns: number): Plan[] {
  return Array.from({ length: turns }, (_, index) => {
    const name = `${number}/${index}`;
    return { rounds: [[lookUp(name), add(name)], [lookUp(`${name} again`)]], answer: `It is ${name}.` };
  });
}

test('the same version replays every turn as it was, and reaches nothing but the model', async () => {
  const agent = await createReplayedAgent(scene);
  for (const number of [1, 2, 3]) await recordConversation(scene, agent.id, planConversation(number, number));
  const called = scene.called.length;

  const ended = await replay(scene, { selection: { agentId: agent.id } });

  expect(ended).toMatchObject({ status: 'completed', cases: 6, runs: { total: 12, done: 12, failed: 0 } });
  const summary = await readSummary(scene, ended.id);
  expect(summary).toMatchObject({
    outside: { connectionsOpened: 0, credentialsDecrypted: 0 },
    calls: { exact: 36, nearest: 0, stub: 0, live: 0, blocked: 0, refused: 0, missed: 0 },
    lanes: { baseline: { passed: 6 }, candidate: { passed: 6, trajectories: { exact: 6 } } },
    differences: { none: 6 },
    unasked: 0,
  });
  expect(scene.called).toHaveLength(called);
  const runs = await readRuns(scene, ended.id);
  for (const { lane, comparison } of runs) {
    if (lane !== 'original') expect(comparison).toMatchObject({ passed: true, scores: { exact: 1, trajectory: 1 } });
  }
});
