import { describe, expect, test } from 'vitest';
import { creditInputSchema, estimateCall, toCredits, toModelCredits } from '../../src/domain/credits.ts';
import { priceList } from '../../src/domain/price-list.ts';
import { findCallPrice, findPrice, toModelCostUsd } from '../../src/domain/price-table.ts';
import { pricesSchema } from '../../src/domain/prices.ts';
import { noUsage } from '../../src/domain/usage.ts';

const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

describe('the price list', () => {
  test('is dated, and its prices are in the form that workspaces use', () => {
    expect(priceList.version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(pricesSchema.parse(priceList.models)).toEqual(priceList.models);
  });

  test('comes after the prices of the workspace, and before its price for any model', () => {
    const own = { 'openai/gpt-5': price, '*': { input: 1, output: 1 } };
    expect(findPrice('openai/gpt-5', own)).toBe(price);
    expect(findPrice('demo', own)).toEqual({ input: 0, output: 0 });
    expect(findPrice('compatible/unknown', own)).toEqual({ input: 1, output: 1 });
    expect(findPrice('compatible/unknown')).toBeUndefined();
    expect(findPrice('constructor', {})).toBeUndefined();
  });
});

test('an entry that Anthropic keeps for an hour costs twice the input, and reading it costs the same', () => {
  const anthropic = { model: 'anthropic/claude-sonnet-4-5' };
  expect(findCallPrice(anthropic)).toEqual({ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 });
  const kept = { ...anthropic, promptCaching: '1h' } as const;
  expect(findCallPrice(kept)).toEqual({ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 6 });
  expect(toModelCostUsd(kept, { ...noUsage, cacheWriteTokens: 1_000_000 })).toBe(6);
  const other = { model: 'openai/gpt-5', promptCaching: '1h' } as const;
  expect(findCallPrice(other)).toEqual(findPrice('openai/gpt-5'));
  expect(findCallPrice({ model: 'anthropic/none', promptCaching: '1h' })).toBeUndefined();
});

describe('the credits of a model call', () => {
  test('are those of four kinds of tokens, rounded up once', () => {
    const usage = {
      inputTokens: 1,
      cacheReadTokens: 1,
      cacheWriteTokens: 1,
      outputTokens: 1,
      reasoningTokens: 1,
    };
    expect(toModelCredits(usage, price)).toBe(23n);
    expect(toModelCredits({ ...noUsage, cacheReadTokens: 1 }, price)).toBe(1n);
    expect(toModelCredits({ ...noUsage, cacheReadTokens: 10 }, price)).toBe(3n);
    expect(toModelCredits(noUsage, { ...price, perCall: 0.02 })).toBe(20_000n);
    expect(toModelCredits(usage, undefined)).toBeNull();
  });

  test('are not raised by the rounding of floating-point numbers', () => {
    expect(toCredits(0.1 + 0.2)).toBe(300_000n);
    expect(toModelCredits({ ...noUsage, inputTokens: 1_000_000 }, { input: 0.1, output: 0 })).toBe(100_000n);
  });
});

describe('the estimate of a model call', () => {
  const call = { instructions: 'Hilf.', messages: [{ role: 'user' as const, text: 'Grüße 😀' }], tools: [] };

  test('is as high as one token for each byte, at the dearest price of the request', () => {
    const bytes = Buffer.byteLength('Hilf.') + Buffer.byteLength(JSON.stringify(call.messages[0]));
    const { credits, maxOutputTokens } = estimateCall(call, { ...price, maxOutputTokens: 100 });
    expect(maxOutputTokens).toBe(100);
    expect(Number(credits)).toBeGreaterThanOrEqual(bytes * 3.75 + 100 * 15);
    expect(Number(credits)).toBeLessThan((bytes + 100) * 3.75 + 100 * 15);
  });

  test('takes the limit of the answer from the call, then from the price', () => {
    expect(estimateCall({ ...call, maxOutputTokens: 50 }, price).maxOutputTokens).toBe(50);
    expect(estimateCall(call, price).maxOutputTokens).toBe(16_384);
  });
});

test('credits are written as text or as a number, whole and within the largest budget', () => {
  expect(creditInputSchema.parse('2000000')).toBe(2_000_000n);
  expect(creditInputSchema.parse(5)).toBe(5n);
  for (const wrong of ['-1', '1.5', 1.5, -1, '', '9999999999999999', 'a'])
    expect(creditInputSchema.safeParse(wrong).success).toBe(false);
});
