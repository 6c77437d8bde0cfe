import { describe, expect, it } from 'vitest';
import { ToolInterruptedError } from '../../../src/domain/tool-interrupted.ts';
import { createCircuitBreaker, isTransportFailure } from '../../../src/engines/mcp/circuit-breaker.ts';

function breakerAt(clock: { now: number }) {
  return createCircuitBreaker({ maxFailures: 3, openMs: 1_000, now: () => clock.now });
}

describe('a circuit breaker', () => {
  it('allows calls until a number of them have failed in a row', () => {
    const breaker = breakerAt({ now: 0 });
    for (let times = 0; times < 2; times += 1) breaker.noteFailure('a');
    expect(breaker.refusedUntil('a')).toBeNull();
    breaker.noteFailure('a');
    expect(breaker.refusedUntil('a')).toBe(1_000);
    expect(breaker.refusedUntil('b')).toBeNull();
  });

  it('counts from zero after a success', () => {
    const breaker = breakerAt({ now: 0 });
    for (let times = 0; times < 2; times += 1) breaker.noteFailure('a');
    breaker.noteSuccess('a');
    breaker.noteFailure('a');
    expect(breaker.refusedUntil('a')).toBeNull();
  });

  it('allows one call after its time, and opens again when that fails', () => {
    const clock = { now: 0 };
    const breaker = breakerAt(clock);
    for (let times = 0; times < 3; times += 1) breaker.noteFailure('a');
    clock.now = 1_000;
    expect(breaker.refusedUntil('a')).toBeNull();
    expect(breaker.refusedUntil('a')).toBe(2_000);
    clock.now = 1_200;
    breaker.noteFailure('a');
    expect(breaker.refusedUntil('a')).toBe(2_200);
    clock.now = 2_200;
    expect(breaker.refusedUntil('a')).toBeNull();
    breaker.noteSuccess('a');
    expect(breaker.refusedUntil('a')).toBeNull();
  });

  it.each([
    ['TOOL_UNREACHABLE', false, true],
    ['TOOL_UNAVAILABLE', true, true],
    ['TOOL_TIMED_OUT', false, true],
    ['TOOL_TIMED_OUT', true, false],
    ['TOOL_UNAVAILABLE', false, false],
    ['EGRESS_REFUSED', false, false],
    ['RESPONSE_TOO_LARGE', true, false],
  ] as const)('counts %s (sent: %s) as a failure: %s', (code, sent, counts) => {
    expect(isTransportFailure(new ToolInterruptedError(code, 'it broke', { sent }))).toBe(counts);
  });
});
