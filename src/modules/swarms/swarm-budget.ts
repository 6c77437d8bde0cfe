import type { SwarmRow } from './swarm-rows.ts';

/** The rest of the limits of a swarm. */
export interface SwarmBudget {
  turns: number;
  /** Infinity for a swarm without a limit of tokens. */
  tokens: number;
  /** Infinity for a swarm without a limit of credits. Turns that run are not counted. */
  credits: number;
  /** When its time is over, in epoch milliseconds. */
  deadlineAt: number;
  /** The limits that are reached first, in words. */
  limits: Record<'turns' | 'tokens' | 'credits' | 'time', string>;
}

/** Returns the least of what a swarm and those above it have left. */
export function toBudget([row, ...above]: readonly [SwarmRow, ...SwarmRow[]]): SwarmBudget {
  const rests = [toRest(row, ''), ...above.map((each) => toRest(each, ' of a swarm above'))];
  const [turns, tokens, credits, time] = (['turns', 'tokens', 'credits', 'time'] as const).map((kind) =>
    rests.map((rest) => rest[kind]).reduce((least, other) => (other.left < least.left ? other : least)),
  ) as [Rest, Rest, Rest, Rest];
  return {
    turns: Math.max(0, turns.left),
    tokens: Math.max(0, tokens.left),
    credits: Math.max(0, credits.left),
    deadlineAt: time.left,
    limits: { turns: turns.limit, tokens: tokens.limit, credits: credits.limit, time: time.limit },
  };
}

interface Rest {
  left: number;
  limit: string;
}

function toRest({ limits, ...row }: SwarmRow, whose: string) {
  const { turns, tokens, credits, timeMs } = limits;
  const toLeft = (most: number | null, used: number) => (most === null ? Infinity : most - used);
  return {
    turns: { left: turns - row.turns_used, limit: `limit of ${turns} turns${whose}` },
    tokens: { left: toLeft(tokens, row.tokens_used), limit: `limit of ${tokens} tokens${whose}` },
    credits: {
      left: toLeft(toCreditLimit(credits), row.credits_used),
      limit: `limit of ${credits} credits${whose}`,
    },
    time: { left: row.deadline_at.getTime(), limit: `time limit of ${timeMs / 1000} seconds${whose}` },
  };
}

/** A limit of credits as a number, which holds it exactly. */
function toCreditLimit(credits: string | null): number | null {
  return credits === null ? null : Number(credits);
}
