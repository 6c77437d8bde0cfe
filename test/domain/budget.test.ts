import { describe, expect, it } from 'vitest';
import { budgetChangeSchema, budgetInputSchema } from '../../src/domain/budget.ts';
import { checkInput } from '../../src/domain/check-input.ts';

const place = { scope: 'workspace', period: 'month' };

describe('the amount of a budget', () => {
  it.for([
    [{ credits: 7 }, 7n],
    [{ credits: '7' }, 7n],
    [{ dollars: 2 }, 2_000_000n],
    [{ dollars: '0.50' }, 500_000n],
    [{ dollars: 0.000001 * 10 }, 10n],
    [{ dollars: '999999999.999999' }, 999_999_999_999_999n],
    [{ dollars: 0.1 + 0.2 }, 300_000n],
    [{ dollars: 0 }, 0n],
  ] as const)('is %j as credits or as dollars', ([amount, credits]) => {
    expect(budgetInputSchema.parse({ ...place, ...amount })).toEqual({ ...place, credits });
    expect(budgetChangeSchema.parse(amount)).toEqual({ credits });
  });

  it.for([
    [{}, 'expected credits or dollars, found neither'],
    [{ credits: 1, dollars: 1 }, 'expected credits or dollars, found both'],
  ] as const)('%j is refused', ([amount, message]) => {
    for (const [schema, input] of [
      [budgetInputSchema, { ...place, ...amount }],
      [budgetChangeSchema, amount],
    ] as const)
      expect(checkInput(schema, input)).toEqual({ success: false, errors: [{ field: 'credits', message }] });
  });

  it.for([
    [{ dollars: '5.' }],
    [{ dollars: 0.1234567 }],
    [{ dollars: -1 }],
    [{ dollars: 1e-7 }],
    [{ dollars: '$5' }],
  ] as const)('%j is no amount', ([amount]) => {
    expect(budgetChangeSchema.safeParse(amount).success).toBe(false);
  });

  it('names the nearest field of one that is not known', () => {
    expect(checkInput(budgetInputSchema, { ...place, credit: 1 })).toMatchObject({
      success: false,
      errors: expect.arrayContaining([
        { field: 'credit', message: 'unknown field: did you mean "credits"?' },
      ]) as unknown,
    });
  });
});
