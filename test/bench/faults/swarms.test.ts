import { describe, expect, it } from 'vitest';
import { planCalls, plannedSubtasks, updateFunction } from '../../../bench/faults/swarm-plan.ts';
import { findSwarmProblems, type StoredSubtask, type StoredSwarm } from '../../../bench/faults/swarms.ts';

const ids = Object.keys(plannedSubtasks);

function subtask(id: string, fields: Partial<StoredSubtask> = {}): StoredSubtask {
  const second = ids.indexOf(id) * 2;
  const [startedAt, endedAt] = [new Date(second * 1000), new Date((second + 1) * 1000)];
  return { id, status: 'done', attempts: 1, startedAt, endedAt, ...fields };
}

const completed: StoredSwarm = {
  ...{ id: 's', status: 'completed', turnsUsed: 6, creditsUsed: '11000', settledCalls: 11, hasLimit: false },
  subtasks: ids.map((id) => subtask(id)),
  blackboard: { ...Object.fromEntries(ids.map((id) => [id, `one/${id}`])), person: 'noted' },
};

function find(changes: Partial<StoredSwarm>): string[] {
  return findSwarmProblems({ id: 's', order: 'one' }, { ...completed, ...changes }, { person: 'noted' });
}

describe('findSwarmProblems', () => {
  it('finds nothing wrong with a swarm in which everything was done once', () => {
    expect(find({})).toEqual([]);
  });

  it('finds a swarm that is not there, and one that has not completed', () => {
    expect(findSwarmProblems({ id: 's', order: 'one' }, undefined, {})).toEqual(['there is no swarm s']);
    expect(find({ status: 'running', hasLimit: true })).toEqual([
      'one: the swarm is running',
      'one: its limit of credits is left',
    ]);
  });

  it('finds subtasks that are missing, were tried again, or began too early', () => {
    const again = subtask('last', { attempts: 2 });
    const early = subtask('left', { startedAt: new Date(500) });
    expect(find({ subtasks: completed.subtasks.slice(0, 3) })).toEqual([
      'one: there is no subtask last',
      'one: 3 subtasks',
    ]);
    expect(find({ subtasks: completed.subtasks.with(3, again) })).toEqual([
      'one: last is done after 2 attempts',
    ]);
    expect(find({ subtasks: completed.subtasks.with(1, early) })).toEqual([
      'one: left began before first had ended',
    ]);
  });

  it('finds updates that were lost, and calls that were paid twice or never', () => {
    expect(find({ blackboard: { ...completed.blackboard, left: 'other', person: undefined } })).toEqual([
      'one: the updates of left,person are lost',
    ]);
    expect(find({ settledCalls: 12, creditsUsed: '12000', turnsUsed: 7 })).toEqual([
      'one: 7 turns, expected 6',
      'one: 12 calls were paid, expected 11',
      'one: 12000 credits were counted',
    ]);
  });
});

describe('planCalls', () => {
  const namesOf = (content: string) => planCalls({ content }).map(({ name }) => name);

  it('lets a leader plan, and answer when it is told of results', () => {
    const [plan] = planCalls({ content: 'You lead a swarm of agents. Its goal:\none\n\nPlan it: …' });
    const last = { id: 'last', description: 'one/last', depends_on: ['left', 'right'] };
    expect(plan).toMatchObject({
      name: updateFunction,
      arguments: { subTasks: { set: [{ id: 'first', depends_on: [] }, {}, {}, last] } },
    });
    expect(namesOf('Subtasks that have ended:\n## first: done\n…')).toEqual([]);
  });

  it('lets a member give its order to all tools and note it, and others give their message', () => {
    const message =
      'You work in a swarm of agents on this goal:\none\n\nYour subtask is "left":\none/left\n\nAnswer …';
    const order = { order: 'one/left' };
    expect(planCalls({ content: message })).toEqual([
      { name: 'pay', arguments: order },
      { name: 'book', arguments: order },
      { name: 'look', arguments: order },
      { name: updateFunction, arguments: { blackboard: { set: [{ id: 'left', value: 'one/left' }] } } },
    ]);
    expect(planCalls({ content: 'two' })[0]).toEqual({ name: 'pay', arguments: { order: 'two' } });
  });
});
