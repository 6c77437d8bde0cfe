import { describe, expect, test } from 'vitest';
import { callInOrder, NoModelAnswered } from '../../../activities/model/model-choices.ts';
import { StepStopped } from '../../../src/platform/activity/failures.ts';
import { HoldfastError } from '../../../src/domain/errors.ts';
import type { ModelChoice, ModelFailure } from '../../../src/domain/model-state.ts';

type Options = Parameters<typeof callInOrder<string>>[0];

const first = { model: 'compatible/a', connectionId: null };
const second = { model: 'compatible/b', connectionId: null };
const refused = new HoldfastError('MODEL_AUTHENTICATION', 'No key.');
const overloaded = new HoldfastError('MODEL_UNAVAILABLE', 'Overloaded.');

interface Scene {
  /** The models whose circuits are open. */
  away?: ModelChoice[];
  version?: Partial<Options['version']>;
  hasHung?: boolean;
  /** The ends of the calls in their order: an answer, or an error. */
  ends: (string | Error)[];
}

/** Calls two models, and notes which of them were called, and the failures that were stored. */
async function run({ away = [], version = {}, hasHung = false, ends }: Scene) {
  const called: string[] = [];
  const failures: ModelFailure[] = [];
  const result = callInOrder<string>({
    states: {
      isUnavailable: ({ model }) => Promise.resolve(away.some((one) => one.model === model)),
      failed: (_choice, failure) => Promise.resolve(void failures.push(failure)),
      answered: () => undefined,
      list: () => Promise.resolve([]),
    },
    version: {
      ...{ model: first.model, modelConnectionId: null, modelSettings: {}, limits: {} },
      fallbackModels: [{ model: second.model, modelConnectionId: null }],
      ...version,
    },
    needed: [],
    hasHung,
    signal: new AbortController().signal,
    call: ({ model }) => {
      called.push(model);
      const end = ends.shift() ?? new Error('no call was expected');
      return typeof end === 'string' ? Promise.resolve(end) : Promise.reject(end);
    },
    toError: (error) => (error instanceof StepStopped ? overloaded : error),
    hasStreamed: () => false,
  });
  const outcome = await result.catch((error: unknown) => error);
  return { outcome, called, failures };
}

describe('a model that took too long in an earlier attempt', () => {
  test('is called after the others', async () => {
    const { outcome, called } = await run({ hasHung: true, ends: ['Hello.'] });
    const passed = [{ model: first.model, error: { code: 'MODEL_UNAVAILABLE' } }];
    expect(outcome).toMatchObject({ answer: 'Hello.', choice: second, passed });
    expect(called).toEqual([second.model]);
  });

  test('is not told as passed over when it answers at last', async () => {
    const { outcome, called } = await run({ hasHung: true, ends: [overloaded, 'Hello.'] });
    expect(outcome).toMatchObject({ answer: 'Hello.', choice: first, passed: [{ model: second.model }] });
    expect(called).toEqual([second.model, first.model]);
  });

  test('is called again when it is the only one', async () => {
    const { called } = await run({ hasHung: true, version: { fallbackModels: [] }, ends: ['Hello.'] });
    expect(called).toEqual([first.model]);
  });
});

describe('a model whose circuit is open', () => {
  test('is passed over', async () => {
    const { outcome, called } = await run({ away: [first], ends: ['Hello.'] });
    expect(outcome).toMatchObject({ answer: 'Hello.', choice: second, passed: [{ model: first.model }] });
    expect(called).toEqual([second.model]);
  });

  test('is called when no other one can answer at all', async () => {
    const { outcome, called } = await run({ away: [first], ends: [refused, 'Hello.'] });
    expect(called).toEqual([second.model, first.model]);
    expect(outcome).toMatchObject({
      answer: 'Hello.',
      choice: first,
      passed: [{ error: { code: 'MODEL_UNAVAILABLE' } }, { error: { code: 'MODEL_AUTHENTICATION' } }],
    });
  });

  test('is left alone while another attempt with the others may help', async () => {
    const { outcome, called } = await run({ away: [first], ends: [overloaded] });
    expect(called).toEqual([second.model]);
    expect(outcome).toBeInstanceOf(NoModelAnswered);
  });

  test('is called once more at most', async () => {
    const { outcome, called } = await run({ away: [first], ends: [refused, refused] });
    expect(called).toEqual([second.model, first.model]);
    expect(outcome).toBeInstanceOf(NoModelAnswered);
  });
});

describe("the circuit of the operator's key is not touched", () => {
  const silence = new StepStopped('silence');
  const own = { fallbackModels: [] };

  test('by an agent that gives its model little time', async () => {
    const impatient = { ...own, limits: { activityTimeoutMs: 1_000 } };
    expect((await run({ version: impatient, ends: [silence] })).failures).toEqual([]);
    expect((await run({ version: own, ends: [new StepStopped('timeout')] })).failures).toEqual([]);
    expect((await run({ version: own, ends: [silence] })).failures).toEqual([{ code: 'MODEL_UNAVAILABLE' }]);
  });

  test('by an agent whose headers may be what is refused', async () => {
    const version = { ...own, modelSettings: { headers: { 'OpenAI-Organization': 'none' } } };
    expect((await run({ version, ends: [refused] })).failures).toEqual([]);
    expect((await run({ version, ends: [overloaded] })).failures).toHaveLength(1);
    const withKey = { ...version, modelConnectionId: '0198a000-0000-7000-8000-000000000001' };
    expect((await run({ version: withKey, ends: [refused] })).failures).toHaveLength(1);
  });

  test('a limit that ends at once names no time', async () => {
    const limited = new HoldfastError('MODEL_RATE_LIMITED', 'Slow down.', { retryAfterMs: 0 });
    const { failures } = await run({ version: own, ends: [limited] });
    expect(failures).toEqual([{ code: 'MODEL_RATE_LIMITED', waitMs: undefined }]);
  });
});
