import { describe, expect, test } from 'vitest';
import { evaluateSimple } from '../../../src/domain/simple-expression.ts';
import type { JsonObject, JsonValue } from '../../../src/domain/json.ts';
import { createProgramEvaluation } from '../../../src/modules/routines/expressions/evaluate-programs.ts';

const evaluate = createProgramEvaluation({ timeoutMs: 1_500 });

async function run(program: string, dot: JsonValue = {}, variables: JsonObject = {}) {
  const answer = await evaluate('test', { programs: [program], dot, variables });
  return 'values' in answer ? answer.values[0] : answer;
}

describe('expressions', () => {
  test('see their input and their variables', async () => {
    expect(await run('.a + $input.b', { a: 1 }, { input: { b: 2 } })).toBe(3);
    expect(await run('.a // "default"')).toBe('default');
    expect(await run('[.[] | select(. > 1)]', [1, 2, 3])).toEqual([2, 3]);
    expect(await run('try error("x") catch .')).toBe('x');
    expect(await run('empty')).toBeNull();
    expect(await run('1, 2')).toBe(1);
  });

  test.each(['now', 'input', 'inputs', 'env', 'debug', 'halt', 'halt_error', 'stderr', 'input_filename'])(
    'do not have %s',
    async (name) => {
      expect(await run(name)).toEqual({ problem: `${name} is not available` });
    },
  );

  test('see no environment', async () => {
    expect(await run('$ENV')).toEqual({});
  });

  test.each([
    'def f: f; f',
    '[range(1e9)] | length',
    'reduce range(40) as $i (1; [., .])',
    '[limit(1e9; repeat(1))]',
  ])('end when they take too long: %s', async (program) => {
    expect(await run(program)).toMatchObject({ problem: expect.any(String) as string });
    expect(await run('1')).toBe(1);
  });

  test('end when their signal aborts, and leave the thread to the next ones', async () => {
    const stop = new AbortController();
    const endless = { programs: ['[range(1e9)] | length'], dot: {}, variables: {} };
    const running = evaluate('test', endless, stop.signal);
    const waiting = evaluate('test', endless, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    await expect(waiting).rejects.toThrow('stopped');
    expect(await run('1')).toBe(1);
  });

  test('end when their result is too large', async () => {
    expect(await run('[range(200000)]')).toEqual({ problem: 'the result has more than 524288 characters' });
  });

  test('keep their definitions to themselves', async () => {
    expect(await run('def mine: 1; mine')).toBe(1);
    expect(await run('mine')).toMatchObject({ problem: expect.stringContaining('mine') as string });
  });

  test.each(['. )', ') | (', '"', '#', '[', '}'])(
    'are refused when their syntax is wrong: %s',
    async (program) => {
      expect(await run(program)).toMatchObject({ problem: expect.any(String) as string });
    },
  );

  test('say what is wrong', async () => {
    expect(await run('.a.b', { a: 'text' })).toEqual({ problem: 'Cannot index string with string ("b")' });
  });
});

describe('evaluateSimple', () => {
  const dot = { a: { b: [1] }, n: null };

  test.each([
    ['.', dot],
    ['.a.b', [1]],
    ['.missing.deep', null],
    ['$input.x', 1],
    ['"text"', 'text'],
    ['-1.5', -1.5],
    ['true', true],
    ['null', null],
  ])('evaluates %s as jq does', async (program, value) => {
    const variables = { input: { x: 1 } };
    expect(evaluateSimple(program, dot, variables)).toEqual({ value });
    expect(await run(program, dot, variables)).toEqual(value);
  });

  test.each(['.a.b.c', '$unknown', '.a[0]', '.a + 1', '"\\(.a)"', 'now', '', '..', '.__proto__.x()'])(
    'leaves %j to jq',
    (program) => {
      expect(evaluateSimple(program, dot, {})).toBeNull();
    },
  );

  test('sees no inherited fields', () => {
    expect(evaluateSimple('.constructor', {}, {})).toEqual({ value: null });
    expect(evaluateSimple('.__proto__', {}, {})).toEqual({ value: null });
  });
});
