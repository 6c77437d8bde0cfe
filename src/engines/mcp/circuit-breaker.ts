import { LRUCache } from 'lru-cache';
import type { ToolInterruptedError } from '../../domain/tool-interrupted.ts';

/** After how many failures in a row a circuit opens, and for how long. */
export interface CircuitBreakerOptions {
  /** @default 5 */
  maxFailures?: number;
  /** @default 15 000 */
  openMs?: number;
  /** Returns the time in epoch milliseconds. @default the clock of the machine */
  now?: () => number;
}

/** Refuses calls to targets that have failed several times in a row. */
export interface CircuitBreaker {
  /**
   * Returns null when a call may be sent, otherwise the time, in epoch milliseconds, until which calls are refused.
   * At that time one call may be sent as a probe; the others are refused until its outcome is known.
   */
  refusedUntil: (key: string) => number | null;
  noteSuccess: (key: string) => void;
  noteFailure: (key: string) => void;
}

interface Circuit {
  failures: number;
  openUntil: number;
}

/** The most targets that are watched; those that were not called for longest are forgotten. */
const maxCircuits = 5_000;

/** Creates a breaker in which every circuit is closed. */
export function createCircuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  const { maxFailures = 5, openMs = 15_000, now = Date.now } = options;
  const circuits = new LRUCache<string, Circuit>({ max: maxCircuits });
  return {
    refusedUntil(key) {
      const circuit = circuits.get(key);
      if (!circuit || circuit.failures < maxFailures) return null;
      if (now() < circuit.openUntil) return circuit.openUntil;
      circuit.openUntil = now() + openMs;
      return null;
    },
    noteSuccess: (key) => void circuits.delete(key),
    noteFailure(key) {
      const failures = (circuits.get(key)?.failures ?? 0) + 1;
      circuits.set(key, { failures, openUntil: now() + openMs });
    },
  };
}

/**
 * Returns whether an interruption counts as a failure of the server: connecting failed, or the transport broke during
 * the call. A slow tool, a full pool and a 429 do not count.
 */
export function isTransportFailure({ code, sent }: ToolInterruptedError): boolean {
  if (code === 'TOOL_UNREACHABLE') return true;
  return sent ? code === 'TOOL_UNAVAILABLE' : code === 'TOOL_TIMED_OUT';
}
