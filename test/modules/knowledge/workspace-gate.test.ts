import { expect, test } from 'vitest';
import { createWorkspaceGate } from '../../../src/modules/knowledge/workspace-gate.ts';

const [first, second] = ['first', 'second'].map((workspaceId) => ({ workspaceId })) as [
  { workspaceId: string },
  { workspaceId: string },
];

test('a workspace that has its places taken is told so, and others are served', async () => {
  const gate = createWorkspaceGate(1, 20);
  const held = Promise.withResolvers<string>();
  const holding = gate(first, () => held.promise);
  expect(await gate(first, () => Promise.reject(new Error('this should not run')))).toBe('busy');
  expect(await gate(second, () => Promise.resolve('served'))).toBe('served');
  held.resolve('done');
  expect(await holding).toBe('done');
  expect(await gate(first, () => Promise.resolve('served'))).toBe('served');
});

test('work whose turn comes soon is served in order', async () => {
  const gate = createWorkspaceGate(1, 60_000);
  const order: number[] = [];
  const work = (number: number) => async () => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push(number);
  };
  await Promise.all([1, 2, 3].map((number) => gate(first, work(number))));
  expect(order).toEqual([1, 2, 3]);
});

test('work that fails gives its place back', async () => {
  const gate = createWorkspaceGate(1, 60_000);
  await expect(gate(first, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await gate(first, () => Promise.resolve('served'))).toBe('served');
});
