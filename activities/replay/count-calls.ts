import type { CallCount, CountedLimit } from '../../src/modules/turns/calls/tool-call-counts.ts';
import type { PrepareDependencies } from '../tool/prepare-call.ts';

/** A call that counts for the limits of policies. */
interface CountedCall {
  name: string;
  target: string | null;
}

/**
 * Counts the calls of a replayed turn in memory. Limits by day do not hold in a replay: the turns of that day are not in it.
 */
export function createCallCounts(): {
  add: (call: CountedCall) => void;
  transact: PrepareDependencies['transact'];
} {
  const calls: CountedCall[] = [];
  const countInTurn = ({ names, targets }: CountedLimit) =>
    calls.filter(({ name, target }) => names.includes(name) || (target !== null && targets.includes(target)))
      .length;
  const toolCalls = {
    lockCounts: () => Promise.resolve(),
    count: ({ limits }: { limits: CountedLimit[] }): Promise<CallCount[]> =>
      Promise.resolve(
        limits.map((limit) => ({
          turnId: limit.turnId,
          key: limit.key,
          inTurn: countInTurn(limit),
          inDay: null,
        })),
      ),
  };
  return { add: (call) => calls.push(call), transact: (_, run) => run({ toolCalls }) };
}
