import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import { eventually } from '../../labs/eventually.ts';
import { findSubtaskId, startSwarmLab, toCallLine, type SwarmLab } from '../../labs/swarm-scene.ts';
import type { SwarmDetails } from '../../../src/domain/swarm.ts';

let scene: SwarmLab;

/** Subtasks named `slow` do not end by themselves. */
beforeAll(async () => {
  scene = await startSwarmLab({
    answer: (body) => (findSubtaskId(body) === 'slow' ? { text: 'I am at', hang: true } : undefined),
  });
});

afterAll(() => scene.close());

const functions = ['spawn_swarm', 'update_swarm_shared_state', 'end_swarm'];

/** Has an agent call functions one after the other; returns their calls, and the answers that have succeeded. */
async function callAll(place: { agentId: string; conversationId?: string }, ...lines: string[]) {
  const turn = await scene.lab.waitForOutcome(await scene.say({ ...place, message: lines.join('\n') }));
  const answers = turn.toolCalls.map(({ status, result }) =>
    status === 'succeeded' ? (JSON.parse(result ?? '{}') as Answer) : {},
  );
  return { turn, answers };
}

interface Answer {
  swarmId?: string;
  status?: string;
  result?: string;
  subTasks?: SwarmDetails['state']['subTasks'];
  finalState?: SwarmDetails;
}

const notFound = { status: 'failed', error: { code: 'CONVERSATION_STATE_NOT_FOUND' } };
const note = { blackboard: { set: [{ id: 'note', value: 1 }] } };

describe.concurrent('a turn', () => {
  test.for(executionModes)(
    'that is %s starts swarms of both kinds, and gets their results',
    async (execution) => {
      const limits = { turnTimeoutMs: 60_000 };
      const agent = await scene.createAgent({ functions, execution, limits });
      const subtasks = [
        { id: 'a', description: 'A.', assignee: agent.id },
        { id: 'b', description: 'B.', assignee: agent.id, depends_on: ['a'] },
      ];
      const { turn, answers } = await callAll(
        { agentId: agent.id },
        toCallLine('spawn_swarm', { kind: 'simple', leader: agent.id, goal: 'Lead.' }),
        toCallLine('spawn_swarm', { kind: 'rich', goal: 'Work.', subtasks }),
      );

      expect(turn.outcome).toBe('completed');
      const [simple, rich] = answers;
      expect(simple).toMatchObject({ status: 'completed', result: 'The swarm is done.' });
      expect(rich).toMatchObject({
        status: 'completed',
        subTasks: [{ result: 'Result of a.' }, { result: 'Result of b.' }],
      });
      expect(await scene.read(rich?.swarmId ?? '')).toMatchObject({ kind: 'rich', parentTurnId: turn.id });
    },
  );

  test('goes on beside a swarm, reads its state and ends it, but not once it has ended', async () => {
    const agent = await scene.createAgent({ functions });
    const slow = { id: 'slow', description: 'Slow.', assignee: agent.id };
    const order = { kind: 'rich', goal: 'Go on.', subtasks: [slow], wait: false };
    const started = await callAll({ agentId: agent.id }, toCallLine('spawn_swarm', order));
    const { swarmId = '' } = started.answers[0] ?? {};
    await scene.waitFor(swarmId, ({ state }) => state.subTasks[0]?.status === 'in_progress');
    const place = { agentId: agent.id, conversationId: started.turn.conversationId };

    const ended = await callAll(
      place,
      toCallLine('update_swarm_shared_state', { swarmId }),
      toCallLine('end_swarm', { swarmId, mode: 'force', reason: 'Enough.' }),
    );

    expect(started.answers[0]).toMatchObject({ status: 'running' });
    expect(ended.answers).toMatchObject([
      { success: true, status: 'running', updatedSubTasks: [{ id: 'slow' }] },
      { success: true, finalState: { id: swarmId, reason: 'Enough.' } },
    ]);
    await scene.waitForEnd(swarmId);
    const late = await callAll(
      place,
      toCallLine('update_swarm_shared_state', { swarmId }),
      toCallLine('update_swarm_shared_state', { swarmId, ...note }),
      toCallLine('end_swarm', { swarmId }),
    );
    expect(late.turn.toolCalls).toMatchObject([{ status: 'succeeded' }, notFound, notFound]);
    expect(late.answers[0]).toMatchObject({ status: 'ended', updatedSubTasks: [{ status: 'failed' }] });
  });

  test('outside of a swarm has no state of one, nor has one that asks for the swarm of another', async () => {
    const agent = await scene.createAgent({ functions });
    const order = {
      kind: 'rich',
      goal: 'Go on.',
      subtasks: [{ id: 'a', description: 'A.', assignee: agent.id }],
    };
    const { id: swarmId } = await scene.start(order);
    const { turn } = await callAll(
      { agentId: agent.id },
      toCallLine('update_swarm_shared_state', note),
      toCallLine('update_swarm_shared_state', { swarmId }),
      toCallLine('end_swarm', {}),
      toCallLine('end_swarm', { swarmId }),
    );

    expect(turn.toolCalls).toMatchObject([notFound, notFound, notFound, notFound]);
    expect(turn.toolCalls[0]?.error?.message).toContain('this conversation is not part of a swarm');
    expect(await scene.waitForEnd(swarmId)).toMatchObject({ status: 'completed' });
  });
});

/** Locks the row of a swarm, so that every later change of the swarm waits. */
async function lockSwarm(swarmId: string): Promise<pg.Client> {
  const client = new pg.Client(scene.lab.databaseUrl);
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM swarms WHERE id = $1 FOR UPDATE', [swarmId]);
  return client;
}

/** Ends the sessions of two changes that wait for the locked row of a swarm one after the other, and lets the row go. */
async function loseTwoSessions(client: pg.Client): Promise<void> {
  const ended: number[] = [];
  // A step of the swarm, which locks the swarms above as well, may wait too: a change behind it is blocked by that step.
  const endNext = async () => {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> ALL ($1) AND cardinality(pg_blocking_pids(pid)) > 0
         AND query NOT LIKE '%lineage%'`,
      [ended],
    );
    ended.push(...rows.map(({ pid }) => pid));
  };
  try {
    await eventually(endNext, () => ended.length === 2);
  } finally {
    await client.end();
  }
}

describe('a call that changes a swarm', () => {
  test.each(executionModes)(
    'of a turn that is %s is applied when its sessions were lost',
    async (execution) => {
      const agent = await scene.createAgent({ functions, execution });
      const slow = { id: 'slow', description: 'Slow.', assignee: agent.id };
      const order = { kind: 'rich', goal: 'Go on.', subtasks: [slow], wait: false };
      const started = await callAll({ agentId: agent.id }, toCallLine('spawn_swarm', order));
      const { swarmId = '' } = started.answers[0] ?? {};
      await scene.waitFor(swarmId, ({ state }) => state.subTasks[0]?.status === 'in_progress');
      const place = { agentId: agent.id, conversationId: started.turn.conversationId };

      const call = toCallLine('update_swarm_shared_state', { swarmId, ...note });
      const lock = await lockSwarm(swarmId);
      const [{ turn }] = await Promise.all([callAll(place, call), loseTwoSessions(lock)]);

      expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 3 }]);
      expect((await scene.read(swarmId)).state.blackboard).toMatchObject([{ id: 'note', value: 1 }]);
      await callAll(place, toCallLine('end_swarm', { swarmId, mode: 'force', reason: 'Enough.' }));
      await scene.waitForEnd(swarmId);
    },
  );
});
