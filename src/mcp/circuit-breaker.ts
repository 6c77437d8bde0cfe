import { LRUCache } from 'lru-cache';
import type { ToolInterruptedError } from '../domain/tool-interrupted.ts';

/** How many failures in a row are one too many, and for how long a target is then left alone. */
export interface CircuitBreakerOptions {
  /** @default 5 */
  maxFailures?: number;
  /** @default 15 000 */
  openMs?: number;
  /** In epoch milliseconds. @default the clock of the machine */
  now?: () => number;
}

/** Keeps calls from targets that have failed again and again. */
export interface CircuitBreaker {
  /**
   * Null when a call may go out. Otherwise the time, in epoch milliseconds, at which the next one may. One call is
   * let through when that time has come, as a probe; the others wait for what becomes of it.
   */
  refusedUntil: (key: string) => number | null;
  noteSuccess: (key: string) => void;
  noteFailure: (key: string) => void;
}

interface Circuit {
  failures: number;
  openUntil: number;
}

/** More targets than this are not watched at once; the ones not heard of for longest start anew. */
const maxCircuits = 5_000;

/** Builds a breaker in which every target begins closed. */
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
 * Whether an interruption speaks against the server itself: it could not be connected to, or the connection broke.
 * A tool that takes too long, a full pool and a server that turns a call away for now say nothing of the kind.
 */
export function isTransportFailure({ code, sent }: ToolInterruptedError): boolean {
  if (code === 'TOOL_UNREACHABLE') return true;
  return sent ? code === 'TOOL_UNAVAILABLE' : code === 'TOOL_TIMED_OUT';
}
