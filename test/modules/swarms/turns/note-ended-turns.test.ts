import { describe, expect, test } from 'vitest';
import type { StoredSubtask } from '../../../../src/modules/swarms/tasks/subtask-rows.ts';
import type { OpenSwarmTurn } from '../../../../src/modules/swarms/turns/swarm-turn-repository.ts';
import type { BudgetScope } from '../../../../src/domain/budget.ts';
import type { ErrorInfo } from '../../../../src/domain/errors.ts';
import { noteEndedTurns } from '../../../../src/modules/swarms/turns/note-ended-turns.ts';

const now = '2026-01-01T00:00:00.000Z';

/** A subtask that runs in the turn `turn of <id>` for the first time. */
function running(id: string, fields: Partial<StoredSubtask> = {}): StoredSubtask {
  return {
    ...{ id, description: id, assignee: 'agent', depends_on: [], priority: 'medium', status: 'in_progress' },
    ...{ attempts: 1, tries: 1, result: null, error: null, turn_id: `turn of ${id}`, isReported: true },
    ...{ position: 0, created_at: '', started_at: '', ended_at: null },
    ...fields,
  };
}

function turnOf(subtaskId: string | null, fields: Partial<OpenSwarmTurn>): OpenSwarmTurn {
  const turnId = `turn of ${subtaskId ?? 'the leader'}`;
  return {
    turnId,
    subtaskId,
    status: 'completed',
    answer: null,
    error: null,
    hasFailedChange: false,
    tokens: 0,
    credits: 0,
    step: 'run:1',
    ...fields,
  };
}

function overBudget(scope: BudgetScope): ErrorInfo {
  return { code: 'BUDGET_EXCEEDED', message: `The budget of the ${scope} is used up.`, details: { scope } };
}

function note(subtasks: StoredSubtask[], turns: OpenSwarmTurn[], retries = 1) {
  return noteEndedTurns(subtasks, turns, { retries, now });
}

describe('the ends of turns', () => {
  test('leave subtasks alone whose turns run', () => {
    const subtasks = [running('a'), running('b')];
    const turns = [turnOf('a', { status: 'running' }), turnOf('b', { status: 'waiting_for_approval' })];
    expect(note(subtasks, turns)).toEqual({
      ...{ subtasks, changed: [], endedTurnIds: [], tokens: 0, credits: 0, overBudget: null, leader: null },
    });
  });

  test('make subtasks done with the answers as their results, and add up what the turns have used', () => {
    const subtasks = [running('a'), running('b')];
    const turns = [
      turnOf('a', { answer: 'A.', tokens: 3, credits: 5 }),
      turnOf('b', { answer: 'B.', tokens: 4, credits: 6 }),
    ];
    const noted = note(subtasks, turns);
    expect(noted).toMatchObject({ endedTurnIds: ['turn of a', 'turn of b'], tokens: 7, credits: 11 });
    const done = { status: 'done', error: null, isReported: false, ended_at: now };
    expect(noted.changed).toMatchObject([
      { id: 'a', result: 'A.', ...done },
      { id: 'b', result: 'B.', ...done },
    ]);
    expect(noted.subtasks).toEqual(noted.changed);
  });

  test('let a failed subtask be tried again, until it was tried often enough', () => {
    const error: ErrorInfo = { code: 'MODEL_UNAVAILABLE', message: 'Too busy.' };
    const turns = [turnOf('a', { status: 'failed', error })];
    expect(note([running('a')], turns).changed).toMatchObject([{ status: 'todo', error, ended_at: null }]);
    const failed = { status: 'failed', error, isReported: false, ended_at: now };
    expect(note([running('a', { tries: 2 })], turns).changed).toMatchObject([failed]);
    expect(note([running('a')], turns, 0).changed).toMatchObject([failed]);
  });

  test.each([
    ['cancelled', 'TURN_CANCELLED', 'failed'],
    ['timed_out', 'TURN_TIMED_OUT', 'todo'],
    ['iteration_limit', 'TOOL_FAILED', 'todo'],
  ] as const)('of a turn that is %s have the code %s and leave the subtask %s', (status, code, left) => {
    const { changed } = note([running('a')], [turnOf('a', { status })]);
    expect(changed).toMatchObject([{ status: left, error: { code, message: expect.any(String) as string } }]);
  });

  test('do not begin a subtask again that lacks the price of its model', () => {
    const error: ErrorInfo = { code: 'PRICE_UNKNOWN', message: 'No price.' };
    const noted = note([running('a')], [turnOf('a', { status: 'failed', error })]);
    expect(noted).toMatchObject({ changed: [{ status: 'failed', error }], overBudget: null });
  });

  test('by the budget of an agent fail the subtasks of that agent alone', () => {
    const error = overBudget('agent');
    const turns = [turnOf('poor', { status: 'failed', error }), turnOf('rich', { answer: 'Done.' })];
    const noted = note([running('poor'), running('rich')], turns);
    expect(noted.changed).toMatchObject([
      { id: 'poor', status: 'failed', error },
      { id: 'rich', status: 'done' },
    ]);
    expect(noted.overBudget).toBeNull();
  });

  test.each(['swarm', 'workspace', 'user', 'conversation'] as const)(
    'by the budget of a %s end the whole swarm',
    (scope) => {
      const error = overBudget(scope);
      const turns = [turnOf('a', { answer: 'Done.' }), turnOf('b', { status: 'failed', error })];
      expect(note([running('a'), running('b')], turns)).toMatchObject({
        changed: [{ status: 'done' }, { status: 'failed', error }],
        overBudget: error,
      });
    },
  );

  test('of the leader give its answer, or null when it failed', () => {
    expect(note([], [turnOf(null, { answer: 'Planned.' })]).leader).toEqual({ answer: 'Planned.' });
    expect(note([], [turnOf(null, {})]).leader).toEqual({ answer: '' });
    expect(note([], [turnOf(null, { status: 'failed' })]).leader).toEqual({ answer: null });
  });

  test('of the leader count as failed when its last change was refused and nothing is left to be done', () => {
    const leader = turnOf(null, { answer: 'Planned.', hasFailedChange: true });
    expect(note([], [leader]).leader).toEqual({ answer: null });
    expect(note([running('a', { status: 'done' })], [leader]).leader).toEqual({ answer: null });
    expect(note([running('a')], [leader]).leader).toEqual({ answer: 'Planned.' });
  });

  test('give a subtask that was set to done meanwhile its result, and change no other one that was set', () => {
    const subtasks = [
      running('done', { status: 'done' }),
      running('canceled', { status: 'canceled' }),
      running('again', { turn_id: 'a later turn' }),
    ];
    const turns = ['done', 'canceled', 'again'].map((id) => turnOf(id, { answer: `Result of ${id}.` }));
    expect(note(subtasks, turns).changed).toEqual([{ ...subtasks[0], result: 'Result of done.' }]);
  });
});
