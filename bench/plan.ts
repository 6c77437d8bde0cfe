/** The amount of measuring. */
export interface Plan {
  /** One turn at a time. */
  latency: { rounds: number; turns: number };
  /** Many turns at a time, in rounds of this duration. */
  throughput: { rounds: number; durationMs: number; inFlight: readonly number[] };
  /** The number of turns at each length of a conversation. */
  growth: { turns: number; positions: readonly number[] };
  /** The turns that a new worker runs before the first memory sample and afterwards, and those between two samples. */
  memory: { warmUpTurns: number; turns: number; every: number };
}

const inFlight = [8, 32];
const positions = [1, 50, 200, 1000];

/** The plan for rough figures in under 5 minutes. */
export const quickPlan: Plan = {
  latency: { rounds: 4, turns: 5 },
  throughput: { rounds: 1, durationMs: 4_000, inFlight },
  growth: { turns: 10, positions },
  memory: { warmUpTurns: 300, turns: 300, every: 30 },
};

/** The plan for figures that are published. */
export const fullPlan: Plan = {
  latency: { rounds: 8, turns: 20 },
  throughput: { rounds: 3, durationMs: 5_000, inFlight },
  growth: { turns: 40, positions },
  memory: { warmUpTurns: 500, turns: 5_000, every: 250 },
};
