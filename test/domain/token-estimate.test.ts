import { expect, test } from 'vitest';
import { estimateTokens, toContextBudget } from '../../src/domain/context-budget.ts';
import type { ContextMessage } from '../../src/domain/model-context.ts';
import { findTokenRatio, learnTokenRatio, measureMessages } from '../../src/domain/token-estimate.ts';
import { noUsage } from '../../src/domain/usage.ts';

const place = { turnOrdinal: 1, firstOrdinal: 1, iteration: 0, providerContent: null, toolCalls: null };
const version = {
  ...{ model: 'compatible/own', fallbackModels: [], modelSettings: {}, limits: {}, instructions: 'Help.' },
  ...{ tools: [], compaction: 'oldest_first' as const, compactionThreshold: null },
};

function say(text: string): ContextMessage {
  return { ...place, role: 'user', text };
}

function estimate(text: string, ratios = {}): number {
  return estimateTokens([say(text)], toContextBudget(version, ratios));
}

test('before a model has counted anything a token is four bytes, so that other scripts count for more', () => {
  const english = estimate('a'.repeat(4_000));
  expect(english).toBeGreaterThan(1_000);
  expect(english).toBeLessThan(1_020);
  expect(estimate('я'.repeat(4_000))).toBeGreaterThan(2_000);
  expect(estimate('語'.repeat(4_000))).toBeGreaterThan(3_000);
});

test('an estimate with the learned ratio is what the vendor has counted for the same request', () => {
  const { bytes } = measureMessages([say('a'.repeat(4_000))]);
  const usage = {
    ...noUsage,
    inputTokens: 300,
    cacheReadTokens: 1_100,
    cacheWriteTokens: 200,
    outputTokens: 9,
  };
  const ratio = learnTokenRatio(usage, bytes + 21);

  expect(estimate('a'.repeat(4_000), { 'compatible/own': ratio })).toBe(1_600);
  expect(findTokenRatio({ 'compatible/own': ratio ?? 0 }, 'compatible/other')).toBe(0.25);
});

test('a server that counts nothing, or bytes by the thousand, teaches nothing', () => {
  expect(learnTokenRatio(noUsage, 4_000)).toBeNull();
  expect(learnTokenRatio({ ...noUsage, inputTokens: 900, isEstimated: true }, 4_000)).toBeNull();
  expect(learnTokenRatio({ ...noUsage, inputTokens: 4_000_000 }, 4_000)).toBeNull();
});

test('tool calls and their results are counted, a reference for less than its result', () => {
  const call = {
    ...{ id: 'call-1', modelCallId: 'call_0', name: 'search', arguments: { query: 'x' } },
    ...{ invalidArguments: null, status: 'succeeded' as const, error: null, resultBytes: 5_000 },
  };
  const answer = (parts: object) =>
    measureMessages([
      { ...place, role: 'assistant', text: '', toolCalls: [{ ...call, result: null, ...parts }] },
    ]).bytes;

  expect(answer({ result: 'r'.repeat(5_000) })).toBeGreaterThan(5_000);
  expect(answer({ isReferenced: true })).toBeLessThan(400);
});
