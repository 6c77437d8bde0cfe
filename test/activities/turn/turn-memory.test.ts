import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTurnMemory } from '../../../activities/turn/turn-memory.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createAnswer, createToolCall } from '../../labs/turn-rows.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

test('a call is sent by the claim that its answer was stored with, unless the process was stopped in between', () => {
  const holder = newId();
  const memory = createTurnMemory(newId());
  const step = { ordinal: 1, usage: {}, tokenRatios: {}, start: {}, tokensUsed: 0, heldBy: holder };
  const context = [{ turnOrdinal: 1, firstOrdinal: 1, iteration: 0, role: 'user', text: 'Pay.' }];
  const answer = createAnswer(newId(), { toolCalls: [createToolCall(0)], claimId: newId() });
  const state = { cancelRequested: false, quarantined: [], steering: false, budgeted: false };
  const stored = { before: { step, context, taken: [] }, answer, state, version: { rules: {} } };
  memory.answered({ result: {}, stored } as never);

  expect(memory.takeClaimed(1, 0)).toMatchObject({ attempts: 1, held_by: holder });
  vi.setSystemTime(Date.now() + 2_000);
  expect(memory.takeClaimed(1, 0)).toBeUndefined();
});
