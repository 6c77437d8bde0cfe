import { describe, expect, it } from 'vitest';
import { findFallbackProblems, type FallbackTurn, type StoredStep } from '../../../bench/faults/fallbacks.ts';

const asked: StoredStep = {
  iteration: 1,
  text: 'steady 4: one two three.',
  paid: ['compatible/steady'],
  calls: ['pay', 'book', 'look'],
};
const answered: StoredStep = {
  iteration: 2,
  text: 'failing-1 5: one two three.',
  paid: ['compatible/failing-1'],
  calls: [],
};
const completed: FallbackTurn = {
  ...{ id: 't', status: 'completed', endings: 1, passed: 1 },
  steps: [asked, answered],
};

function find(changes: Partial<FallbackTurn>, seen: [number, string][] = []): string[] {
  return findFallbackProblems({ ...completed, ...changes }, new Map(seen));
}

describe('findFallbackProblems', () => {
  it('finds nothing wrong with answers of one model each, of which a reader saw all or a part', () => {
    expect(find({})).toEqual([]);
    expect(
      find({}, [
        [1, asked.text],
        [2, 'failing-1 5: one '],
      ]),
    ).toEqual([]);
  });

  it('finds a turn with no end or two of them, and two answers of one step', () => {
    expect(find({ status: 'running', endings: 0 })).toEqual([
      'turn t: it is running',
      'turn t: it ended 0 times',
    ]);
    expect(find({ endings: 2, steps: [asked, asked] })).toEqual([
      'turn t: it ended 2 times',
      'turn t: it has two answers of one iteration',
    ]);
  });

  it('finds an answer that is of two models, was paid twice or to the other one, or calls a tool twice', () => {
    const mixed = { ...answered, text: 'failing-1 5: one steady 6: one two three.' };
    expect(find({ steps: [asked, mixed] })).toEqual([
      `turn t: "${mixed.text}" is no whole answer of one model`,
    ]);
    const twice = { ...answered, paid: ['compatible/failing-1', 'compatible/steady'] };
    expect(find({ steps: [twice] })).toHaveLength(1);
    expect(find({ steps: [{ ...answered, paid: ['compatible/steady'] }] })).toHaveLength(1);
    expect(find({ steps: [{ ...asked, calls: ['pay', 'pay'] }] })).toEqual([
      `turn t: "${asked.text}" calls pay,pay`,
    ]);
  });

  it('finds words that a reader saw twice', () => {
    const seen = 'steady 4: one one two three.';
    expect(find({}, [[1, seen]])).toEqual([`turn t: a reader saw "${seen}" of "${asked.text}"`]);
  });
});
