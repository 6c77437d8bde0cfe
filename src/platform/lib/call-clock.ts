import type { CallTime } from '../../domain/model.ts';

/** Starts to measure a model call. The function returns the time of the call until then. */
export function startCallClock(): () => CallTime {
  const startedAt = new Date().toISOString();
  const start = performance.now();
  return () => ({ startedAt, durationMs: Math.round(performance.now() - start) });
}
