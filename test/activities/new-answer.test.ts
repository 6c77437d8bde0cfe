import { expect, test } from 'vitest';
import { toToolCallKey } from '../../activities/new-answer.ts';

const step = { workspaceId: 'w', turnId: 't', iteration: 1 };

test('the key of a tool call is the same for every attempt', () => {
  expect(toToolCallKey(step, 0)).toBe(toToolCallKey({ ...step }, 0));
  expect(toToolCallKey(step, 0)).toMatch(/^[0-9a-f]{64}$/);
});

test('the key of a tool call differs with workspace, turn, iteration and place', () => {
  const keys = [
    toToolCallKey(step, 0),
    toToolCallKey(step, 1),
    toToolCallKey({ ...step, iteration: 2 }, 0),
    toToolCallKey({ ...step, turnId: 'u' }, 0),
    toToolCallKey({ ...step, workspaceId: 'v' }, 0),
    toToolCallKey({ ...step, iteration: 11 }, 1),
    toToolCallKey(step, 11),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});
