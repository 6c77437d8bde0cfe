import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Agent } from '../../../src/domain/agent.ts';
import type { AuditEvent } from '../../../src/domain/audit.ts';
import { replayInputSchema } from '../../../src/domain/replay.ts';
import { scopes } from '../../../src/domain/scope.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createReplay } from '../../../src/modules/replays/create-replay.ts';
import { createReplayEngine } from '../../../src/modules/replays/replay-engine.ts';
import { callApi, createLabKey } from '../../labs/lab-api.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import {
  createReplayedAgent,
  readRuns,
  readSummary,
  recordConversation,
  replay,
  startReplayLab,
  waitForReplay,
  type ReplayLab,
} from '../../labs/replay-scene.ts';

let scene: ReplayLab;
/** Models that answer with an error. */
const down = new Set<string>();

beforeAll(async () => {
  scene = await startReplayLab({
    intercept: ({ model }) => (down.has(model) ? { status: 401 } : undefined),
  });
});

afterAll(() => scene.close());

const fields = { name: 'Watched', instructions: 'Do as you are told.', execution: 'direct' };
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

const addOne = { rounds: [[{ tool: 'Adds', arguments: { item: 'a' } }]], answer: 'Added.' };

/** Records a turn that calls `add`, and returns the agent, the turn and how many calls the server has got by then. */
async function recordAdding(agent: Agent) {
  const [turn] = await recordConversation(scene, agent.id, [addOne]);
  return { turn, called: scene.called.length };
}

const addLive = { baseline: false, toolAnswers: { add: 'live' } };

test('live answers need the right to start turns', async () => {
  const agent = await createReplayedAgent(scene);
  const key = await createLabKey(scene.lab, ['replays:read', 'replays:write', 'conversations:read']);
  const start = (more: object) =>
    callApi({
      ...{ url: `${scene.api.url}/api/replays`, key, method: 'POST' },
      body: { selection: { agentId: agent.id }, baseline: false, ...more },
    });

  for (const more of [addLive, { onMiss: 'live_if_read_only' }]) {
    const { status, text } = await start(more);
    expect([status, JSON.parse(text)]).toMatchObject([
      403,
      { error: { code: 'FORBIDDEN', details: { missingScopes: ['conversations:write'] } } },
    ]);
  }
  expect((await start({})).status).toBe(201);
});

test('a replay whose starter has lost its key fails before its first live call', async () => {
  const agent = await createReplayedAgent(scene);
  const { called } = await recordAdding(agent);
  const { database, workspaceId } = scene.lab;
  const logger = { warn: () => undefined, debug: () => undefined };
  const { startReplay } = createReplayEngine(scene.lab);

  const { id } = await createReplay(
    { database, logger, startReplay, checkModelName: () => null, checkTools: () => [] },
    { workspaceId, scopes, apiKeyId: newId() },
    replayInputSchema.parse({ selection: { agentId: agent.id }, ...addLive }),
  );

  const ended = await waitForReplay(scene, id);
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'RIGHTS_LOST' } });
  expect(scene.called).toHaveLength(called);
});

test('a version of another agent makes no live calls', async () => {
  const agent = await createReplayedAgent(scene);
  const other = await createReplayedAgent(scene);
  const { turn } = await recordAdding(agent);
  const candidate = { agentVersionId: other.versionId };

  for (const selection of [{ agentId: agent.id }, { turnIds: [turn?.id] }]) {
    const { status, error } = await scene.api.call('POST', '/api/replays', {
      selection,
      ...addLive,
      candidate,
    });
    expect([status, error.details]).toMatchObject([400, [{ field: 'candidate.agentVersionId' }]]);
  }
});

test('a live call obeys the rules that its agent has today, and is audited', async () => {
  const agent = await createReplayedAgent(scene);
  const { turn, called } = await recordAdding(agent);
  const anyArguments = { type: 'object', properties: {} };
  const lookUp = mcpTool('look_up', { effect: 'read_only' }, anyArguments);
  const run = async (change: object) => {
    await scene.api.ask('PATCH', `/api/agents/${agent.id}`, change);
    const candidate = { rules: {} };
    const ended = await replay(scene, { selection: { agentId: agent.id }, ...addLive, candidate });
    expect(ended).toMatchObject({ status: 'completed', runs: { done: 1, failed: 0 } });
    const [, one] = await readRuns(scene, ended.id);
    const [call] = one?.run?.turns[0]?.steps[0]?.calls ?? [];
    return { id: ended.id, call };
  };

  const refused = { answeredBy: 'blocked', status: 'blocked' };
  const policies = (policy: object) => ({ rules: { toolPolicies: { add: policy } } });
  expect((await run({ rules: { toolAllowlist: ['look_up'] } })).call).toMatchObject({
    ...{ ...refused, rule: 'allowlist' },
  });
  expect((await run(policies({ allowedValues: { item: ['b'] } }))).call).toMatchObject(refused);
  expect((await run(policies({ approval: 'always_ask' }))).call).toMatchObject({
    ...refused,
    rule: 'approval',
  });
  expect(scene.called).toHaveLength(called);

  const limited = policies({ maxCallsPerDay: 1 });
  const made = await run(limited);
  expect(made.call).toMatchObject({ answeredBy: 'live', status: 'succeeded' });
  expect(scene.called).toHaveLength(called + 1);
  const { auditEvents } = await scene.api.ask<{ auditEvents: AuditEvent[] }>(
    ...(['GET', `/api/audit-events?type=replay.called&subjectId=${made.id}`] as const),
  );
  expect(auditEvents).toMatchObject([
    {
      payload: {
        ...{ tool: 'add', target: null, effect: 'idempotent', agent_id: agent.id },
        by: { apiKeyId: expect.any(String) as string },
      },
    },
  ]);
  expect((await run(limited)).call).toMatchObject(refused);

  const calls = scene.lab.database.system('tool_calls').where({ turn_id: turn?.id });
  await calls.update({ status: 'failed', error: { code: 'APPROVAL_REJECTED', message: 'No.' } });
  expect((await run({ rules: {} })).call).toMatchObject({ ...refused, rule: 'approval' });

  const unsafe = mcpTool('add', { effect: 'unsafe' }, anyArguments);
  expect((await run({ rules: {}, tools: [lookUp, unsafe] })).call).toMatchObject({ answeredBy: 'blocked' });
  expect((await run({ tools: [lookUp] })).call).toMatchObject(refused);
  expect(scene.called).toHaveLength(called + 1);
});
