/** How much is measured. */
export interface Plan {
  /** One turn at a time. */
  latency: { rounds: number; turns: number };
  /** Many at a time, for so long each; `http` says whether also over the API. */
  throughput: { rounds: number; durationMs: number; inFlight: readonly number[]; http: boolean };
  /** How many turns at each length of a conversation. */
  growth: { turns: number; positions: readonly number[] };
  /** How many turns a worker runs while its memory is looked at, and after how many each time. */
  memory: { turns: number; every: number };
}

const inFlight = [8, 32];
const positions = [1, 50, 200, 1000];

/** For a first look, in under 5 minutes. */
export const quickPlan: Plan = {
  latency: { rounds: 4, turns: 5 },
  throughput: { rounds: 1, durationMs: 2_000, inFlight, http: false },
  growth: { turns: 20, positions },
  memory: { turns: 300, every: 30 },
};

/** For figures to keep. */
export const fullPlan: Plan = {
  latency: { rounds: 8, turns: 20 },
  throughput: { rounds: 3, durationMs: 5_000, inFlight, http: true },
  growth: { turns: 40, positions },
  memory: { turns: 5_000, every: 250 },
};
