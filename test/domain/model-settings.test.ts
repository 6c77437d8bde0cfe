import { describe, expect, test } from 'vitest';
import { agentFields, agentVersionFields } from '../../src/domain/agent.ts';
import { knownModels } from '../../src/domain/known-models.ts';
import {
  findModelSettingErrors,
  fitModelSettings,
  modelSettingsSchema,
} from '../../src/domain/model-settings.ts';

describe('settings that a model does not take', () => {
  test('are found with the values that it takes', () => {
    const settings = { temperature: 0.2, reasoningEffort: 'max', maxOutputTokens: 500_000 } as const;
    expect(findModelSettingErrors('openai/gpt-5', settings)).toEqual([
      {
        field: 'temperature',
        message: 'is not taken by openai/gpt-5, which reasons: set reasoningEffort',
      },
      {
        field: 'reasoningEffort',
        message: 'expected another value: openai/gpt-5 takes minimal, low, medium, high',
      },
      {
        field: 'maxOutputTokens',
        message: 'expected at most 128000, the most that openai/gpt-5 answers with',
      },
    ]);
    expect(findModelSettingErrors('openai/gpt-4.1', { reasoningEffort: 'low' })).toEqual([
      { field: 'reasoningEffort', message: 'expected another value: openai/gpt-4.1 does not reason' },
    ]);
  });

  test('are not known for a model that is not in the list', () => {
    const settings = { temperature: 0.2, reasoningEffort: 'max', maxOutputTokens: 500_000 } as const;
    expect(findModelSettingErrors('compatible/qwen3', settings)).toEqual([]);
    expect(findModelSettingErrors('constructor', settings)).toEqual([]);
    expect(fitModelSettings('compatible/qwen3', settings)).toBe(settings);
  });

  test('are left out of its calls, and the limit of the answer is lowered', () => {
    const settings = { temperature: 0.2, topP: 0.9, maxOutputTokens: 500_000, parallelToolCalls: false };
    expect(fitModelSettings('anthropic/claude-opus-5', settings)).toEqual({
      maxOutputTokens: 128_000,
      parallelToolCalls: false,
    });
  });
});

test('headers that carry credentials are refused', () => {
  const check = (name: string) => modelSettingsSchema.safeParse({ headers: { [name]: 'x' } }).success;
  expect(['X-Team', 'anthropic-beta', 'OpenAI-Project'].map(check)).toEqual([true, true, true]);
  const own = ['Authorization', 'x-api-key', 'Cookie', 'Host', 'Content-Type', 'Idempotency-Key', 'a b'];
  expect(own.map(check)).toEqual(own.map(() => false));
  const gateways = [
    ...['Helicone-Auth', 'cf-aig-authorization', 'x-portkey-api-key', 'X-Auth-Token', 'x-litellm-apikey'],
    ...['Ocp-Apim-Subscription-Key', 'x-functions-key', 'X-Amz-Security-Token', 'x-client-secret'],
  ];
  expect(gateways.map(check)).toEqual(gateways.map(() => false));
  const others = ['x-portkey-config', 'Helicone-User-Id', 'HTTP-Referer', 'x-author', 'x-keyboard'];
  expect(others.map(check)).toEqual(others.map(() => true));
  expect(modelSettingsSchema.safeParse({ headers: { 'X-Team': 'a\r\nb' } }).success).toBe(false);
});

test('a stored version with a header that is refused today can be read', () => {
  const modelSettings = { headers: { 'Helicone-Auth': 'x' } };
  expect(agentVersionFields.modelSettings.safeParse(modelSettings).success).toBe(true);
  expect(agentFields.modelSettings.safeParse(modelSettings).success).toBe(false);
});

test('the list of known models is dated, and each has a vendor and limits', () => {
  expect(knownModels.version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  for (const [name, facts] of Object.entries(knownModels.models)) {
    expect(name).toMatch(/^(?:openai|anthropic|google)\/[\w.-]+$/);
    expect(facts.inputTokens).toBeGreaterThanOrEqual(facts.outputTokens);
  }
});
