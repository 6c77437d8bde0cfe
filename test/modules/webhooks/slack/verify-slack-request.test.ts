import { expect, test } from 'vitest';
import { isFromSlack } from '../../../../src/modules/webhooks/slack/verify-slack-request.ts';

/** The example of https://docs.slack.dev/authentication/verifying-requests-from-slack. */
const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5';
const body =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar' +
  '&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com' +
  '%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14' +
  'd10d2c447fce8b6703c';
const request = {
  timestamp: '1531420618',
  signature: 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  body,
};
const sentAt = 1531420618_000;

test('the example of the documentation is from Slack, within five minutes', () => {
  for (const offset of [0, 299_000, -299_000]) {
    expect(isFromSlack(signingSecret, request, sentAt + offset)).toBe(true);
  }
  for (const offset of [301_000, -301_000]) {
    expect(isFromSlack(signingSecret, request, sentAt + offset)).toBe(false);
  }
});

test.each([
  { body: `${body}x` },
  { timestamp: '1531420619' },
  { timestamp: undefined },
  { timestamp: '1531420618.0' },
  { signature: undefined },
  { signature: request.signature.slice(3) },
  { signature: `${request.signature}0` },
  { signature: request.signature.toUpperCase() },
])('a request with %j is not', (changed) => {
  expect(isFromSlack(signingSecret, { ...request, ...changed }, sentAt)).toBe(false);
});

test('a request that another secret has signed is not', () => {
  expect(isFromSlack(`${signingSecret}6`, request, sentAt)).toBe(false);
});
