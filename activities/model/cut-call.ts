import { toModelCredits } from '../../src/domain/credits.ts';
import type { Usage } from '../../src/domain/model.ts';
import { findPrice } from '../../src/domain/price-table.ts';
import type { Prices } from '../../src/domain/prices.ts';

/** A model call that ended before its answer. */
export interface CutCall {
  model: string;
  /** An estimate by what was sent and received. */
  usage: Usage;
}

/** Thrown when a message of the user ends a model call that is to be made again with it. */
export class CallCutShort extends Error {
  override readonly name = 'CallCutShort';
  /** Null when the call was not made. */
  readonly call: CutCall | null;

  constructor(call: CutCall | null = null) {
    super('a message ended the model call');
    this.call = call;
  }
}

/** Returns what calls have cost that were cut short, in credits; null when one of their models has no price. */
export function toCutCredits(cut: readonly CutCall[], prices: Prices): bigint | null {
  return cut.reduce<bigint | null>((sum, { model, usage }) => {
    const credits = toModelCredits(usage, findPrice(model, prices));
    return sum === null || credits === null ? null : sum + credits;
  }, 0n);
}
