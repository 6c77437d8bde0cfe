import { expect } from 'vitest';
import type { GatedShop } from '../servers/gated-shop.ts';
import type { TurnLab } from './turn-lab.ts';

/** One call of each effect, of the tools of a gated shop. */
export const lostCalls = ['book', 'look', 'pay'].map((name) => ({ name, arguments: {} }));

/**
 * Expects that the calls of a lost worker were made again where that is allowed, and that the outcome of the other is unknown.
 * @param mostAttempts - In an inspectable turn an attempt that was frozen between its task and its claim makes a third one.
 */
export async function expectNothingDropped(
  { lab, shop, mostAttempts = 2 }: { lab: TurnLab; shop: GatedShop; mostAttempts?: number },
  turnId: string,
): Promise<void> {
  const turn = await lab.waitForOutcome(turnId);
  expect(turn).toMatchObject({ outcome: 'completed', answer: 'Done.', iterations: 2 });
  expect(turn.toolCalls.map(({ name, status }) => [name, status])).toEqual([
    ['book', 'succeeded'],
    ['look', 'succeeded'],
    ['pay', 'unknown'],
  ]);
  for (const { name, attempts } of turn.toolCalls) {
    expect(attempts).toBeGreaterThanOrEqual(name === 'pay' ? 1 : 2);
    expect(attempts).toBeLessThanOrEqual(name === 'pay' ? 1 : mostAttempts);
  }
  expect(shop.effects('book')).toBe(1);
}
