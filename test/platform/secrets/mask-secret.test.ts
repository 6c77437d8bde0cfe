import { expect, test } from 'vitest';
import { maskSecret } from '../../../src/platform/secrets/mask-secret.ts';

test.each([
  ['sk-abcdefghijklmnopqrstuvwxyz1234', 'sk-…1234'],
  ['ghp_abcdefghijklmnopqrstuvwxyz9876', 'ghp_…9876'],
  ['xoxb-123456789012-abcdefghijkl', 'xoxb-…ijkl'],
  ['abcdefghijklmnopqrstuvwxyz1234', '…1234'],
  ['averylongprefix-abcdefghijkl1234', '…1234'],
  ['sk-abcdef1234', '…1234'],
  ['hunter2', '…'],
  ['', '…'],
])('the secret %s is shown as %s', (secret, masked) => {
  expect(maskSecret(secret)).toBe(masked);
});
