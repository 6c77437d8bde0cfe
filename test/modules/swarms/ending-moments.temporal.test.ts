import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSwarmRepository } from '../../../src/modules/swarms/swarm-repository.ts';
import type { SwarmDetails } from '../../../src/domain/swarm.ts';
import { endSwarm } from '../../../src/modules/swarms/end-swarm.ts';
import { eventually } from '../../labs/eventually.ts';
import { calculate } from '../../labs/lab-tools.ts';
import { findSubtaskId, startSwarmLab, toCallLine, type SwarmLab } from '../../labs/swarm-scene.ts';

let scene: SwarmLab;

/** Subtasks named `slow`, and leaders of a goal with that word, do not end by themselves. */
beforeAll(async () => {
  scene = await startSwarmLab({
    answer: (body) => {
      const id = findSubtaskId(body);
      const isOfSlowLeader =
        id === undefined && /Its goal:\n.*slow/.test(body.messages.at(-1)?.content ?? '');
      return id === 'slow' || isOfSlowLeader ? { text: 'I am at', hang: true } : undefined;
    },
  });
});

afterAll(() => scene.close());

const force = { mode: 'force', reason: 'Enough.' } as const;
const graceful = { mode: 'graceful', reason: 'Late.' } as const;
const end = (swarmId: string, ending: typeof force | typeof graceful) =>
  endSwarm(scene.dependencies, { workspaceId: scene.lab.workspaceId, swarmId }, ending);

/** An agent whose calculations wait for a person. */
const createAskingAgent = () =>
  scene.createAgent({ tools: [{ ...calculate, settings: { approval: 'ask' } }], functions: ['spawn_swarm'] });

const calculating = toCallLine('calculate', { expression: '20 + 3' });

async function startAsking(): Promise<SwarmDetails> {
  const { id: assignee } = await createAskingAgent();
  const subtasks = [
    { id: 'ask', description: calculating, assignee },
    { id: 'after', description: 'Go on.', assignee, depends_on: ['ask'] },
  ];
  const { id } = await scene.start({ kind: 'rich', goal: 'Calculate.', subtasks });
  return scene.waitFor(id, ({ pendingActions }) => pendingActions.length > 0);
}

function findInside(swarmId: string): Promise<string> {
  return eventually(
    async () => {
      const [id] = await scene.lab.database.pipelined(scene.lab.workspaceId, (query) =>
        createSwarmRepository(query).listInside(swarmId),
      );
      return id ?? '';
    },
    (id) => id !== '',
  );
}

/** A swarm whose member has started another one, in which `slow` runs. */
async function startNested() {
  const { id: assignee } = await scene.createAgent({ functions: ['spawn_swarm'] });
  const slow = { id: 'slow', description: 'Be slow.', assignee };
  const spawn = {
    kind: 'rich',
    goal: 'Inside.',
    subtasks: [slow, { ...slow, id: 'later', depends_on: ['slow'] }],
  };
  const outer = { id: 'outer', description: toCallLine('spawn_swarm', spawn), assignee };
  const { id } = await scene.start({ kind: 'rich', goal: 'Outside.', subtasks: [outer] });
  const inside = await findInside(id);
  await scene.waitFor(inside, ({ state }) => state.subTasks[0]?.status === 'in_progress');
  return { outer: id, inside };
}

describe.concurrent('a swarm that is ended', () => {
  test('by force while its leader plans stops the leader', async () => {
    const leader = await scene.createAgent({ functions: ['update_swarm_shared_state'] });
    const { id } = await scene.start({ kind: 'simple', leader: leader.id, goal: 'Be slow.' });
    const planning = await scene.waitFor(id, ({ turnsUsed }) => turnsUsed === 1);

    await end(id, force);
    const ended = await scene.waitForEnd(id);

    expect(ended).toMatchObject({
      status: 'ended',
      reason: 'Enough.',
      result: null,
      state: { subTasks: [] },
    });
    const turns = await scene.lab.database
      .system('turns')
      .where({ conversation_id: planning.conversationId })
      .pluck('status');
    expect(turns).toEqual(['cancelled']);
  });

  test('by force while a member waits for an approval cancels the call, which never runs', async () => {
    const waiting = await startAsking();
    expect(waiting.pendingActions).toMatchObject([
      { kind: 'approval', tool: 'calculate', swarmId: waiting.id, subtaskId: 'ask' },
    ]);
    const turnId = waiting.pendingActions[0]?.turnId ?? '';

    await end(waiting.id, force);
    const ended = await scene.waitForEnd(waiting.id);

    expect(ended).toMatchObject({
      ...{ status: 'ended', pendingActions: [] },
      state: { subTasks: [{ status: 'failed', error: { code: 'TURN_CANCELLED' } }, { status: 'todo' }] },
    });
    const [call] = await scene.lab.readLedger(turnId);
    expect(call?.status).not.toBe('succeeded');
    expect(await scene.lab.readTurn(turnId)).toMatchObject({ status: 'cancelled' });
  });

  test('gracefully while a member waits for an approval ends after the decision', async () => {
    const waiting = await startAsking();
    expect(await end(waiting.id, graceful)).toMatchObject({ status: 'ending' });

    await scene.lab.decide(waiting.pendingActions[0]?.id ?? '', { decision: 'approve' });

    expect(await scene.waitForEnd(waiting.id)).toMatchObject({
      ...{ status: 'ended', reason: 'Late.' },
      state: {
        subTasks: [
          { status: 'done', result: 'Result of ask.' },
          { status: 'todo', attempts: 0 },
        ],
      },
    });
  });

  test('by force ends the swarm inside of it, and what runs there', async () => {
    const { outer, inside } = await startNested();

    await end(outer, force);
    const [ended, endedInside] = [await scene.waitForEnd(outer), await scene.waitForEnd(inside)];

    expect(ended).toMatchObject({ status: 'ended', state: { subTasks: [{ status: 'failed' }] } });
    expect(endedInside).toMatchObject({
      ...{ status: 'ended', reason: 'The swarm above has ended: Enough.' },
      state: { subTasks: [{ error: { code: 'TURN_CANCELLED' } }, { status: 'todo' }] },
    });
  });

  test('gracefully lets the swarm inside of it begin nothing more', async () => {
    const { outer, inside } = await startNested();

    await end(outer, graceful);
    const ending = await scene.read(inside);
    expect(ending).toMatchObject({ status: 'ending', state: { subTasks: [{ status: 'in_progress' }, {}] } });
    await scene.lab.cancelTurn(ending.state.subTasks[0]?.turn_id ?? '');

    expect(await scene.waitForEnd(inside)).toMatchObject({
      ...{ status: 'ended', reason: 'The swarm above has ended: Late.' },
      state: { subTasks: [{ status: 'failed' }, { status: 'todo', attempts: 0 }] },
    });
    // The member got the end of the swarm that it had started, and has answered.
    expect(await scene.waitForEnd(outer)).toMatchObject({
      ...{ status: 'ended', reason: 'Late.' },
      state: { subTasks: [{ status: 'done', result: 'Result of outer.' }] },
    });
  });

  test('by a call of a member stops the others, answers with the final state, and lets it finish', async () => {
    const { id: assignee } = await scene.createAgent({ functions: ['end_swarm'] });
    const subtasks = [
      { id: 'slow', description: 'Be slow.', assignee },
      { id: 'ender', description: toCallLine('end_swarm', { mode: 'force', reason: 'I say so.' }), assignee },
      { id: 'later', description: 'Later.', assignee, depends_on: ['slow'] },
    ];
    const { id } = await scene.start({ kind: 'rich', goal: 'End it.', subtasks });
    const ended = await scene.waitForEnd(id);

    expect(ended).toMatchObject({ status: 'ended', reason: 'I say so.' });
    const statuses = ended.state.subTasks.map((each) => `${each.id} ${each.status}`);
    expect(statuses).toEqual(['slow failed', 'ender done', 'later todo']);
    const turn = await scene.lab.readTurn(ended.state.subTasks[1]?.turn_id ?? '');
    const answer = JSON.parse(turn.toolCalls[0]?.result ?? '{}') as { finalState?: SwarmDetails };
    expect(answer).toMatchObject({
      success: true,
      finalState: { id, status: 'ending', reason: 'I say so.' },
    });
  });
});

test('an approval inside of a nested swarm shows on the outermost one, and all go on after the decision', async () => {
  const { id: assignee } = await createAskingAgent();
  const ask = { id: 'ask', description: calculating, assignee };
  const spawn = toCallLine('spawn_swarm', { kind: 'rich', goal: 'Inside.', subtasks: [ask] });
  const subtasks = [{ id: 'outer', description: spawn, assignee }];
  const { id } = await scene.start({ kind: 'rich', goal: 'Outside.', subtasks });
  const waiting = await scene.waitFor(id, ({ pendingActions }) => pendingActions.length > 0);
  const [action] = waiting.pendingActions;
  expect(action).toMatchObject({ tool: 'calculate', subtaskId: 'ask' });
  expect(action?.swarmId).not.toBe(id);

  await scene.lab.decide(action?.id ?? '', { decision: 'approve' });

  expect(await scene.waitForEnd(id)).toMatchObject({
    ...{ status: 'completed', pendingActions: [] },
    state: { subTasks: [{ status: 'done' }] },
  });
  expect(await scene.read(action?.swarmId ?? '')).toMatchObject({
    status: 'completed',
    state: { subTasks: [{ result: 'Result of ask.' }] },
  });
});
