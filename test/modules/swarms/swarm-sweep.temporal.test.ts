import { afterAll, beforeAll, expect, test } from 'vitest';
import { swarmInputSchema } from '../../../src/domain/swarm.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { advanceSwarm } from '../../../src/modules/swarms/advance-swarm.ts';
import { createSwarm } from '../../../src/modules/swarms/create-swarm.ts';
import { eventually } from '../../labs/eventually.ts';
import { calculate, mcpTool } from '../../labs/lab-tools.ts';
import { startLosableTemporal, type LosableTemporal } from '../../labs/losable-temporal.ts';
import { findSubtaskId, startSwarmLab, toCallLine, type SwarmLab } from '../../labs/swarm-scene.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';

let temporal: LosableTemporal;
let server: ScriptedServer;
let scene: SwarmLab;

/** A subtask named `hangs` gets no end of its first answer. */
beforeAll(async () => {
  let hung = false;
  temporal = await startLosableTemporal();
  server = await startScriptedServer({ pay: () => textResult('paid') });
  scene = await startSwarmLab({
    temporalAddress: temporal.address,
    mcpServers: { lab: { url: server.url } },
    answer: (body) => {
      if (findSubtaskId(body) !== 'hangs' || hung) return undefined;
      hung = true;
      return { text: 'I am at', hang: true };
    },
  });
});

afterAll(async () => {
  await scene.close();
  await server.close();
  await temporal.close();
});

/** Makes a swarm and its turns old enough for the sweeper to look at them, and sweeps. */
async function sweepSoon(swarmId: string): Promise<void> {
  const { system } = scene.lab.database;
  const longAgo = new Date(Date.now() - 120_000);
  await system('swarms').where({ id: swarmId }).update({ updated_at: longAgo, swept_at: null });
  await system('turns')
    .where({ swarm_id: swarmId, status: 'running' })
    .update({ started_at: longAgo, start_seen: false });
  await eventually(
    () => scene.lab.sweep().catch(() => null),
    (result) => result !== null,
  );
}

/** A swarm whose rows are there and whose workflow was never started, as after a crash of the API. */
async function storeOnly(): Promise<{ workspaceId: string; swarmId: string }> {
  const { id: assignee } = await scene.createAgent();
  const subtasks = [
    { id: 'first', description: 'Begin.', assignee },
    { id: 'second', description: 'Go on.', assignee, depends_on: ['first'] },
  ];
  const input = swarmInputSchema.parse({ kind: 'rich', goal: 'Do it.', subtasks });
  const dependencies = {
    ...scene.dependencies,
    startSwarm: () => Promise.reject(new Error('lost')),
    logger: { warn: () => undefined, debug: () => undefined },
  };
  const { workspaceId } = scene.lab;
  const swarmId = newId();
  await createSwarm(dependencies, { workspaceId }, { swarmId, input, startedBy: null });
  return { workspaceId, swarmId };
}

const eachOnce = {
  ...{ status: 'completed', reason: 'All subtasks are done.', turnsUsed: 2 },
  state: {
    subTasks: [
      { id: 'first', status: 'done', attempts: 1 },
      { id: 'second', status: 'done', attempts: 1 },
    ],
  },
};

test('a swarm whose workflow was never started is started once', async () => {
  const { swarmId } = await storeOnly();
  const workflow = scene.lab.client.workflow.getHandle(`swarm-${swarmId}`);
  await expect(workflow.describe()).rejects.toThrow();

  await Promise.all([sweepSoon(swarmId), sweepSoon(swarmId)]);

  expect(await scene.waitForEnd(swarmId)).toMatchObject(eachOnce);
  const { runId } = await workflow.describe();
  await sweepSoon(swarmId);
  // A swarm that has ended is not started again.
  expect((await workflow.describe()).runId).toBe(runId);
});

test('a swarm whose step was stored by a process that died goes on with the turns of that step', async () => {
  const place = await storeOnly();
  const attempt = () => advanceSwarm(scene.dependencies, { ...place, step: 'died:1' });
  const stored = await attempt();
  expect(stored).toMatchObject({ open: 1, starts: [{ workspaceId: place.workspaceId }] });
  // Another attempt of the step gets the same turns; another step does not.
  expect(await attempt()).toEqual(stored);
  expect(await advanceSwarm(scene.dependencies, { ...place, step: 'died:2' })).toMatchObject({ starts: [] });

  await sweepSoon(place.swarmId);

  expect(await scene.waitForEnd(place.swarmId)).toMatchObject(eachOnce);
});

test('a swarm whose workflow was terminated hears of what has ended meanwhile and goes on', async () => {
  const { id: assignee } = await scene.createAgent({
    tools: [{ ...calculate, settings: { approval: 'ask' } }],
  });
  const { id } = await scene.start({
    ...{ kind: 'rich', goal: 'Calculate.' },
    subtasks: [
      { id: 'first', description: toCallLine('calculate', { expression: '20 + 3' }), assignee },
      { id: 'second', description: 'Go on.', assignee, depends_on: ['first'] },
    ],
  });
  const { pendingActions } = await scene.waitFor(id, (swarm) => swarm.pendingActions.length > 0);
  const [action] = pendingActions;
  await scene.lab.client.workflow.getHandle(`swarm-${id}`).terminate();
  await scene.lab.decide(action?.id ?? '', { decision: 'approve' });
  await scene.lab.waitForOutcome(action?.turnId ?? '');
  expect((await scene.read(id)).state.subTasks).toMatchObject([
    { status: 'in_progress' },
    { status: 'todo' },
  ]);

  await sweepSoon(id);

  expect(await scene.waitForEnd(id)).toMatchObject(eachOnce);
});

test('a swarm whose engine was lost starts again, and no subtask or call is done twice', async () => {
  const { id: assignee } = await scene.createAgent({ tools: [mcpTool('pay')] });
  const { id } = await scene.start({
    ...{ kind: 'rich', goal: 'Pay.' },
    subtasks: [
      { id: 'pays', description: toCallLine('pay', {}), assignee },
      { id: 'hangs', description: 'Hang once.', assignee },
      { id: 'after', description: 'Go on.', assignee, depends_on: ['pays', 'hangs'] },
    ],
  });
  await scene.waitFor(id, ({ state }) => state.subTasks[0]?.status === 'done');
  const countHanging = () => scene.model.requests.filter((body) => findSubtaskId(body) === 'hangs').length;
  await eventually(countHanging, (count) => count === 1);
  await temporal.lose();

  await sweepSoon(id);

  const ended = await scene.waitForEnd(id);
  expect(ended).toMatchObject({ status: 'completed', turnsUsed: 3 });
  expect(ended.state.subTasks.map((each) => [each.id, each.status, each.attempts])).toEqual([
    ['pays', 'done', 1],
    ['hangs', 'done', 1],
    ['after', 'done', 1],
  ]);
  expect(countHanging()).toBe(2);
  expect([...server.calls.values()]).toEqual([1]);
}, 120_000);
