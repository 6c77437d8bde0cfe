import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Agent } from '../../src/domain/agent.ts';
import { mcpTool } from '../labs/lab-tools.ts';
import {
  readRuns,
  readSummary,
  recordConversation,
  replay,
  startReplayLab,
  type ReplayLab,
} from '../labs/replay-scene.ts';

let scene: ReplayLab;
/** Models that answer with an error. */
const down = new Set<string>();

beforeAll(async () => {
  scene = await startReplayLab({
    intercept: ({ model }) => (down.has(model) ? { status: 401 } : undefined),
  });
});

afterAll(() => scene.close());

const fields = { name: 'Watched', instructions: 'Do as you are told.', execution: 'fast' };
const answers = { rounds: [], answer: 'Done.' };

async function createAgent(more: object): Promise<Agent> {
  const input = { ...fields, model: 'compatible/planned', tools: [], ...more };
  return (await scene.api.ask<{ agent: Agent }>('POST', '/api/agents', input)).agent;
}

test('a live call that the replay does not make is counted as blocked', async () => {
  const anyArguments = { type: 'object', properties: {} };
  const tools = [{ ...mcpTool('add', {}, anyArguments), description: 'Adds something.' }];
  const agent = await createAgent({ tools });
  const plan = { rounds: [[{ tool: 'Adds', arguments: { item: 'a' } }]], answer: 'Added.' };
  await recordConversation(scene, agent.id, [plan]);
  const called = scene.called.length;

  const ended = await replay(scene, {
    ...{ selection: { agentId: agent.id }, baseline: false, toolAnswers: { add: 'live' } },
  });

  expect(scene.called).toHaveLength(called);
  expect(await readSummary(scene, ended.id)).toMatchObject({ calls: { live: 0, blocked: 1 } });
});

test('a turn that a fallback model answered is replayed with it while the first model is down', async () => {
  down.add('first');
  const agent = await createAgent({
    model: 'compatible/first',
    fallbackModels: [{ model: 'compatible/second' }],
  });
  const [turn] = await recordConversation(scene, agent.id, [answers]);
  expect(turn?.outcome).toBe('completed');

  const ended = await replay(scene, { selection: { agentId: agent.id } });
  expect(ended).toMatchObject({ status: 'completed', runs: { done: 2, failed: 0 } });
  expect(await readSummary(scene, ended.id)).toMatchObject({
    lanes: { baseline: { passed: 1 }, candidate: { passed: 1 } },
  });

  // A candidate that names a model is measured by that model alone.
  const other = await replay(scene, {
    ...{ selection: { agentId: agent.id }, baseline: false, candidate: { model: 'compatible/first' } },
  });
  expect(other).toMatchObject({ runs: { done: 1, failed: 1 } });
  const [, run] = await readRuns(scene, other.id);
  expect(run?.error?.code).toMatch(/^MODEL_/);
});
