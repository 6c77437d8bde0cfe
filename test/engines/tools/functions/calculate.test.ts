import { describe, expect, it } from 'vitest';
import { calculateExpression } from '../../../../src/engines/tools/functions/restricted-math.ts';
import { checkToolArguments } from '../../../../src/engines/tools/json-schema/tool-arguments.ts';
import { calculate } from '../../../../src/engines/tools/functions/calculate.ts';
import { containing } from '../../../labs/matchers.ts';

describe('calculate', () => {
  it.each([
    ['1 + 2 * 3', '7'],
    ['0.1 + 0.2', '0.3'],
    ['(2 + 3)^2', '25'],
    ['sqrt(2)^2', '2'],
    ['18% * 250', '45'],
    ['80 + 15%', '92'],
    ['5!', '120'],
    ['10 mod 3', '1'],
    ['combinations(49, 6)', '13983816'],
    ['sin(45 deg)^2', '0.5'],
    ['5 inch to cm', '12.7 cm'],
    ['round(pi, 4)', '3.1416'],
    ['mean(1, 2, 3, 4)', '2.5'],
    ['3 > 2 ? 10 : 20', '10'],
    ['1 < 2 < 3', 'true'],
    ['sqrt(-4)', '2i'],
  ])('computes %s as %s', (expression, text) => {
    expect(calculateExpression(expression)).toBe(text);
  });

  it.each([
    'import({pi: 3}, {override: true})',
    'createUnit("foo")',
    'evaluate("1+1")',
    'parse("1+1")',
    'simplify("x+x")',
    'derivative("x^2", "x")',
    'f(x) = f(x - 1) + f(x - 1); f(60)',
    'x = 5',
    '1; 2',
    'ones(10000, 10000)',
    'zeros(1e5, 1e5)',
    'sum(1:1e9)',
    '1:1e9',
    '[1, 2, 3]',
    'range(0, 1e9)',
    '{a: 1}.constructor',
    '"a".constructor',
    'cos.constructor("return process")()',
    'constructor',
    '__proto__',
    'toString',
    'process',
    'concat("a", "b")',
    'isPrime(9007199254740881)',
    'bellNumbers(100000)',
    'random()',
    'combinations(1e15, 5e14)',
    'permutations(1e9, 1e8)',
    '1 / 0',
    '10^10^10',
    '1e308 * 10',
    '9999999999!',
    '0 / 0',
    'sin',
    '2 +',
    '',
  ])('refuses %s', (expression) => {
    expect(() => calculateExpression(expression)).toThrow();
  });

  it('returns a failure for an invalid expression', async () => {
    const run = calculate.run as (run: unknown) => unknown;
    expect(await run({ arguments: { expression: 'nonsense(1)' } })).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_FAILED', message: containing('nonsense') },
    });
    expect(await run({ arguments: { expression: `${'('.repeat(490)}1${')'.repeat(490)}` } })).toMatchObject({
      status: 'failed',
      error: { message: containing('nested too deeply') },
    });
  });

  it('refuses an expression of more than 1000 characters', () => {
    expect(checkToolArguments(calculate.schema, { expression: '1+'.repeat(501) })).toHaveLength(1);
  });
});
