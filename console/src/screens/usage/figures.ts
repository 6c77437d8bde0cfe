import type { TurnFigures, UsageFigures } from '../../api/types.ts';

/** The figures of a day, an agent, a person or a model. */
export interface Figures {
  /** A day, an id or a name; null for calls and turns without one. */
  key: string | null;
  turns: number;
  /** The turns that failed, ran out of time or out of iterations. */
  failed: number;
  /** With those that vendors have read from their caches or written to them. */
  inputTokens: number;
  outputTokens: number;
  /** Calls of models without a price, which count as free. */
  unpriced: number;
  /** Millionths of a US dollar. */
  credits: number;
}

/** The figures of something that has none. */
export const toNoFigures = (key: string | null): Figures => ({
  ...{ key, turns: 0, failed: 0, inputTokens: 0, outputTokens: 0, unpriced: 0, credits: 0 },
});

/** All tokens that models have read. */
export const countInput = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: UsageFigures) =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

interface Keyed {
  usage: readonly UsageFigures[];
  turns: readonly TurnFigures[];
  toUsageKey: (figures: UsageFigures) => string | null;
  toTurnKey: (figures: TurnFigures) => string | null;
}

/** Joins what calls have cost with the turns that made them; the dearest come first. */
export function joinFigures({ usage, turns, toUsageKey, toTurnKey }: Keyed): Figures[] {
  const found = new Map<string | null, Figures>();
  const add = (key: string | null, figures: Partial<Figures>) =>
    found.set(key, { ...(found.get(key) ?? toNoFigures(key)), ...figures });
  for (const one of usage) {
    const { outputTokens, unpricedCalls: unpriced, credits } = one;
    add(toUsageKey(one), { inputTokens: countInput(one), outputTokens, unpriced, credits: Number(credits) });
  }
  for (const one of turns) {
    const failed = one.failed + one.timedOut + one.iterationLimit;
    add(toTurnKey(one), { turns: one.turns, failed });
  }
  return [...found.values()];
}

/** Sums figures up. */
export function sumFigures(figures: readonly Figures[]): Figures {
  return figures.reduce(
    (sum, one) => ({
      key: null,
      turns: sum.turns + one.turns,
      failed: sum.failed + one.failed,
      inputTokens: sum.inputTokens + one.inputTokens,
      outputTokens: sum.outputTokens + one.outputTokens,
      unpriced: sum.unpriced + one.unpriced,
      credits: sum.credits + one.credits,
    }),
    toNoFigures(null),
  );
}
