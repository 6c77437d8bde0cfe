import { createHmac, timingSafeEqual } from 'node:crypto';

/** A request that may come from Slack, with its body as it was sent. */
export interface SlackRequest {
  /** The header `x-slack-request-timestamp`, in seconds. */
  timestamp: string | undefined;
  /** The header `x-slack-signature`. */
  signature: string | undefined;
  body: string;
}

/** How far the time of a request may be from ours, in seconds. */
const toleranceSeconds = 5 * 60;

/**
 * Returns whether Slack has signed a request within the last five minutes, by the version `v0` of
 * https://docs.slack.dev/authentication/verifying-requests-from-slack.
 */
export function isFromSlack(
  signingSecret: string,
  { timestamp = '', signature = '', body }: SlackRequest,
  now = Date.now(),
): boolean {
  if (!/^\d{1,15}$/.test(timestamp)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const mac = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const [expected, found] = [Buffer.from(`v0=${mac}`), Buffer.from(signature)];
  return expected.length === found.length && timingSafeEqual(expected, found);
}
