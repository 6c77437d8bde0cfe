/** The amount of measuring. */
export interface Plan {
  /** One turn at a time. */
  latency: { rounds: number; turns: number };
  /** Many turns at a time, in rounds of this duration; `http` adds rows that go over the API. */
  throughput: { rounds: number; durationMs: number; inFlight: readonly number[]; http: boolean };
  /** The number of turns at each length of a conversation. */
  growth: { turns: number; positions: readonly number[] };
  /** The number of turns that a worker runs, and the number of turns between two memory samples. */
  memory: { turns: number; every: number };
}

const inFlight = [8, 32];
const positions = [1, 50, 200, 1000];

/** The plan for rough figures in under 5 minutes. */
export const quickPlan: Plan = {
  latency: { rounds: 4, turns: 5 },
  throughput: { rounds: 1, durationMs: 2_000, inFlight, http: false },
  growth: { turns: 20, positions },
  memory: { turns: 300, every: 30 },
};

/** The plan for figures that are published. */
export const fullPlan: Plan = {
  latency: { rounds: 8, turns: 20 },
  throughput: { rounds: 3, durationMs: 5_000, inFlight, http: true },
  growth: { turns: 40, positions },
  memory: { turns: 5_000, every: 250 },
};
