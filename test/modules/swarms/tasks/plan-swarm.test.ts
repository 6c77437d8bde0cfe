import { describe, expect, test } from 'vitest';
import type { StoredSubtask } from '../../../../src/modules/swarms/tasks/subtask-rows.ts';
import { swarmLimitsSchema } from '../../../../src/domain/swarm.ts';
import { describeRest, planSwarm, type SwarmFacts } from '../../../../src/modules/swarms/tasks/plan-swarm.ts';

function subtask(id: string, fields: Partial<StoredSubtask> = {}): StoredSubtask {
  return {
    ...{ id, description: id, assignee: 'agent', depends_on: [], priority: 'medium', status: 'todo' },
    ...{ attempts: 0, tries: 0, result: null, error: null, turn_id: null, isReported: false, position: 0 },
    ...{ created_at: '', started_at: null, ended_at: null },
    ...fields,
  };
}

interface Given extends Partial<Omit<SwarmFacts, 'limits' | 'budget'>> {
  limits?: object;
  budget?: Partial<SwarmFacts['budget']>;
}

/** The limits in words, as a plan names them. */
const named = { turns: '[turns]', tokens: '[tokens]', credits: '[credits]', time: '[time]' };

function plan({ limits, budget, ...facts }: Given = {}) {
  return planSwarm({
    ...{ status: 'running', limits: swarmLimitsSchema.parse({ ...limits }), leader: 'leader' },
    ...{ wasLeaderAsked: true, leaderFails: 0, isOutOfTime: false, overBudget: null },
    budget: { turns: 100, tokens: Infinity, credits: Infinity, limits: named, ...budget },
    ...{ subtasks: [], open: { leader: false, subtasks: 0 } },
    ...facts,
  });
}

const idsOf = ({ start }: { start: StoredSubtask[] }) => start.map(({ id }) => id);

describe('the plan of a swarm', () => {
  test('begins with the leader when there are no subtasks', () => {
    expect(plan({ wasLeaderAsked: false })).toMatchObject({ asksLeader: true, start: [], end: null });
  });

  test('starts what depends on nothing that is not done, by priority and then by position, up to the limit', () => {
    const subtasks = [
      subtask('low', { priority: 'low' }),
      subtask('first', { position: 1 }),
      subtask('second', { position: 2 }),
      subtask('high', { priority: 'high', position: 3 }),
      subtask('done', { status: 'done' }),
      subtask('after', { depends_on: ['done'], position: 4 }),
      subtask('waiting', { depends_on: ['done', 'low'] }),
    ];
    expect(idsOf(plan({ subtasks, limits: { concurrency: 5 } }))).toEqual([
      ...['high', 'first', 'second', 'after', 'low'],
    ]);
    const open = { leader: false, subtasks: 3 };
    expect(idsOf(plan({ subtasks, open, limits: { concurrency: 5 } }))).toEqual(['high', 'first']);
  });

  test('asks the leader at once about a subtask that failed, and about results when nothing else can run', () => {
    const done = subtask('a', { status: 'done' });
    const running = { leader: false, subtasks: 1 };
    expect(plan({ subtasks: [done], open: running }).asksLeader).toBe(false);
    expect(plan({ subtasks: [done] }).asksLeader).toBe(true);
    const failed = subtask('a', { status: 'failed' });
    expect(plan({ subtasks: [failed], open: running }).asksLeader).toBe(true);
    expect(plan({ subtasks: [failed], open: { leader: true, subtasks: 1 } }).asksLeader).toBe(false);
  });

  test('ends as completed when all is done and told, and as failed when something is left', () => {
    const told = { status: 'done' as const, isReported: true };
    expect(plan({ subtasks: [subtask('a', told)] }).end).toMatchObject({ status: 'completed' });
    expect(plan().end).toEqual({ status: 'completed', reason: 'The leader has answered without subtasks.' });
    const left = [subtask('a', { status: 'failed', isReported: true }), subtask('b', { depends_on: ['a'] })];
    expect(plan({ subtasks: left }).end).toEqual({ status: 'failed', reason: '2 subtasks were left: a, b.' });
  });

  test('ends as failed when the leader has failed more often than it is asked again', () => {
    expect(plan({ leaderFails: 1 }).asksLeader).toBe(true);
    expect(plan({ leaderFails: 2 }).end).toMatchObject({ status: 'failed' });
  });

  test('stops at its limits, and says which one', () => {
    const subtasks = [subtask('a')];
    expect(plan({ subtasks, isOutOfTime: true })).toMatchObject({
      end: { status: 'stopped', reason: 'The [time] was reached.' },
      stops: true,
    });
    const stopped = { start: [], asksLeader: false, stops: false };
    for (const kind of ['turns', 'tokens', 'credits'] as const) {
      const end = { status: 'stopped', reason: `The [${kind}] was reached.` };
      expect(plan({ subtasks, budget: { [kind]: 0 } })).toEqual({ ...stopped, end });
    }
    const end = { status: 'stopped', reason: 'A budget was reached.' };
    expect(plan({ subtasks, overBudget: end.reason })).toEqual({ ...stopped, end });
    expect(idsOf(plan({ subtasks: [subtask('a'), subtask('b')], budget: { turns: 1 } }))).toEqual(['a']);
  });

  test('says how much is done and what is left', () => {
    const done = subtask('a', { status: 'done' });
    expect(describeRest([])).toBe('');
    expect(describeRest([done])).toBe(' Done: 1 of 1 subtasks; nothing is left.');
    expect(describeRest([done, subtask('b', { status: 'failed' }), subtask('c')])).toBe(
      ' Done: 1 of 3 subtasks; left: b, c.',
    );
    const many = Array.from({ length: 11 }, (_, index) => subtask(`${index}`));
    expect(describeRest(many)).toBe(
      ' Done: 0 of 11 subtasks; left: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and others.',
    );
  });

  test('starts nothing while it is paused or ends', () => {
    const subtasks = [subtask('a')];
    const nothing = { start: [], asksLeader: false, end: null };
    expect(plan({ status: 'paused', subtasks })).toMatchObject(nothing);
    expect(plan({ status: 'ending', subtasks })).toMatchObject(nothing);
    expect(plan({ status: 'ending', subtasks, isOutOfTime: true })).toMatchObject({
      ...nothing,
      stops: true,
    });
  });
});
