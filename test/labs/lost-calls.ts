import { expect } from 'vitest';
import type { GatedShop } from '../servers/gated-shop.ts';
import type { TurnLab } from './turn-lab.ts';

/** One call of each effect, of the tools of a gated shop. */
export const lostCalls = ['book', 'look', 'pay'].map((name) => ({ name, arguments: {} }));

/** Expects that the calls of a lost worker were made again where that is allowed, and that the outcome of the other is unknown. */
export async function expectNothingDropped(lab: TurnLab, shop: GatedShop, turnId: string): Promise<void> {
  const turn = await lab.waitForOutcome(turnId);
  expect(turn).toMatchObject({ outcome: 'completed', answer: 'Done.', iterations: 2 });
  expect(turn.toolCalls.map(({ name, status, attempts }) => [name, status, attempts])).toEqual([
    ['book', 'succeeded', 2],
    ['look', 'succeeded', 2],
    ['pay', 'unknown', 1],
  ]);
  expect(shop.effects('book')).toBe(1);
}
