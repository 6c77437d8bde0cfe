import { describe, expect, test } from 'vitest';
import { judgeAttempt } from '../../../../src/modules/webhooks/deliveries/judge-attempt.ts';
import { deliveryPausesMs } from '../../../../src/modules/webhooks/deliveries/delivery-contract.ts';

const failed = { status: 500, error: 'It answered 500.', retryAfterMs: null };

function judge(parts: Partial<Parameters<typeof judgeAttempt>[0]>, chance = 0) {
  const attempt = { posted: failed, before: 0, byHand: false, pausesMs: deliveryPausesMs, ...parts };
  return judgeAttempt(attempt, () => chance);
}

describe('an attempt to deliver', () => {
  test('that succeeds ends the delivery', () => {
    const posted = { status: 204, error: null, retryAfterMs: null };
    expect(judge({ posted })).toEqual({ status: 'delivered', waitMs: 0, disables: null });
  });

  test('that fails is followed by others over three days', () => {
    const waits = deliveryPausesMs.map((_, before) => judge({ before }).waitMs);
    const hours = waits.reduce((sum, waitMs) => sum + waitMs, 0) / 3_600_000;
    expect(waits[0]).toBe(5_000);
    expect(hours).toBeGreaterThan(72);
    expect(hours).toBeLessThan(80);
  });

  test('waits a little longer by chance, and as long as the receiver asks', () => {
    expect(judge({}, 1).waitMs).toBe(5_500);
    expect(judge({ posted: { ...failed, retryAfterMs: 60_000 } }).waitMs).toBe(60_000);
    expect(judge({ posted: { ...failed, retryAfterMs: 1_000 } }).waitMs).toBe(5_000);
  });

  test('that is the last one ends the delivery and disables the webhook', () => {
    expect(judge({ before: deliveryPausesMs.length })).toEqual({
      status: 'failed',
      waitMs: 0,
      disables: 'exhausted',
    });
  });

  test('that is answered with 410 disables the webhook at once', () => {
    const posted = { status: 410, error: 'It answered 410.', retryAfterMs: null };
    expect(judge({ posted })).toMatchObject({ status: 'failed', disables: 'gone' });
    expect(judge({ posted, byHand: true })).toMatchObject({ disables: 'gone' });
  });

  test('that a person asked for is not followed by others', () => {
    expect(judge({ byHand: true, before: 3 })).toEqual({ status: 'failed', waitMs: 0, disables: null });
    expect(judge({ byHand: true, before: 20 })).toEqual({ status: 'failed', waitMs: 0, disables: null });
  });
});
