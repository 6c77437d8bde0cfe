import { describe, expect, test } from 'vitest';
import type { StoredSubtask } from '../../../../src/modules/swarms/tasks/subtask-rows.ts';
import { HoldfastError } from '../../../../src/domain/errors.ts';
import type { SwarmChange } from '../../../../src/domain/swarm.ts';
import { changeSubtasks } from '../../../../src/modules/swarms/tasks/change-subtasks.ts';

type Change = NonNullable<SwarmChange['subTasks']>;

const now = '2026-02-02T00:00:00.000Z';
const agents: Record<string, string> = { Ada: 'agent-ada' };
const findAgent = (assignee: string | undefined) => (assignee === undefined ? 'leader' : agents[assignee]);

function change(current: readonly StoredSubtask[], subTasks: Change) {
  return changeSubtasks(current, subTasks, { now, findAgent });
}

function refuse(current: readonly StoredSubtask[], subTasks: Change): string {
  try {
    change(current, subTasks);
  } catch (error) {
    if (error instanceof HoldfastError) return JSON.stringify(error.details);
    throw error;
  }
  throw new Error('the change was not refused');
}

const { subtasks: two } = changeSubtasks(
  [],
  {
    set: [
      { id: 'a', description: 'A' },
      { id: 'b', description: 'B', depends_on: ['a'] },
    ],
  },
  { now: '2026-01-01T00:00:00.000Z', findAgent },
);

/** The subtasks with the fields of one of them replaced. */
function withFields(id: string, fields: Partial<StoredSubtask>): StoredSubtask[] {
  return two.map((each) => (each.id === id ? { ...each, ...fields } : each));
}

describe('a change of subtasks', () => {
  test('adds new ones for the leader, and keeps when the others were created', () => {
    const set = [
      { id: 'a', description: 'Another', created_at: '2030-01-01T00:00:00.000Z' },
      { id: 'c', description: 'C', assignee: 'Ada', depends_on: ['b', 'b'] },
    ];
    expect(change(two, { set }).subtasks).toMatchObject([
      { id: 'a', description: 'Another', assignee: 'leader', created_at: '2026-01-01T00:00:00.000Z' },
      { id: 'b', created_at: '2026-01-01T00:00:00.000Z', position: 1 },
      { id: 'c', assignee: 'agent-ada', depends_on: ['b'], created_at: now, position: 2 },
    ]);
  });

  test('deletes a subtask together with the dependency on it, and stops its turn', () => {
    const running = withFields('a', { status: 'in_progress', turn_id: 'turn-a' });
    const changed = change(running, { delete: ['a', 'unknown'], set: [{ id: 'b', depends_on: [] }] });
    expect(changed).toMatchObject({ deleted: ['a'], stopping: ['turn-a'], subtasks: [{ id: 'b' }] });
  });

  test('sets a subtask that is over to be done again, and leaves one that runs in progress', () => {
    const failed = withFields('a', { status: 'failed', tries: 2, attempts: 2 });
    expect(change(failed, { set: [{ id: 'a', status: 'todo' }] }).changed).toMatchObject([
      { status: 'todo', tries: 0, attempts: 2 },
    ]);
    const running = withFields('a', { status: 'in_progress', turn_id: 'turn-a' });
    expect(change(running, { set: [{ id: 'a', status: 'todo' }] })).toMatchObject({
      changed: [{ status: 'in_progress' }],
      stopping: [],
    });
    expect(change(running, { set: [{ id: 'a', status: 'canceled' }] })).toMatchObject({
      changed: [{ status: 'canceled', ended_at: now }],
      stopping: ['turn-a'],
    });
  });

  test.for<[string, Change, string]>([
    ['an unknown dependency', { set: [{ id: 'a', depends_on: ['z'] }] }, 'there is no subtask \\"z\\"'],
    ['a deleted dependency', { delete: ['a'] }, 'there is no subtask \\"a\\"'],
    ['a cycle', { set: [{ id: 'a', depends_on: ['b'] }] }, 'expected no cycle, found a → b → a'],
    ['a dependency on itself', { set: [{ id: 'a', depends_on: ['a'] }] }, 'expected no cycle, found a → a'],
    ['a new one without a description', { set: [{ id: 'c' }] }, 'expected the work of a new subtask'],
    ['an unknown agent', { set: [{ id: 'a', assignee: 'Bob' }] }, 'expected an agent of the team, found Bob'],
  ])('is refused with %s', ([, subTasks, message]) => {
    expect(refuse(two, subTasks)).toContain(message);
  });

  test('is refused when there were too many', () => {
    const set = Array.from({ length: 1001 }, (_, index) => ({ id: `${index}`, description: 'x' }));
    expect(refuse([], { set })).toContain('expected at most 1000 subtasks in all');
  });
});
