import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toWaves } from '../../../../console/src/screens/swarms/waves.ts';
import type { Subtask } from '../../../../src/domain/swarm.ts';

const subtask = (id: string, needed: string[] = []): Subtask => ({
  ...{
    id,
    description: '',
    assignee: '',
    depends_on: needed,
    priority: 'medium',
    status: 'todo',
    attempts: 0,
  },
  ...{ result: null, error: null, turn_id: null, created_at: '', started_at: null, ended_at: null },
});

const toIds = (waves: Subtask[][]) => waves.map((wave) => wave.map(({ id }) => id));

describe('waves of subtasks', () => {
  test('put each subtask after those it depends on, and as early as that allows', () => {
    const waves = toWaves([
      subtask('page', ['facts', 'title']),
      subtask('facts'),
      subtask('title'),
      subtask('check', ['page', 'facts']),
      subtask('alone'),
    ]);
    expect(toIds(waves)).toEqual([['facts', 'title', 'alone'], ['page'], ['check']]);
  });

  test('show what depends on itself, or on a subtask that is not there', () => {
    const waves = toWaves([subtask('one', ['two']), subtask('two', ['one']), subtask('three', ['gone'])]);
    expect(toIds(waves)).toEqual([['three'], ['one', 'two']]);
    expect(toWaves([])).toEqual([]);
  });

  test('have every subtask once, whatever depends on what', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const subtasks = fc.tuple(...ids.map((id) => fc.subarray(ids).map((needed) => subtask(id, needed))));
    fc.assert(
      fc.property(subtasks, (given) => {
        expect(toIds(toWaves(given)).flat().toSorted()).toEqual(ids);
      }),
    );
  });
});
