import { expect, test } from 'vitest';
import {
  createApiKeyText,
  isSecretOf,
  parseApiKeyText,
} from '../../../../src/modules/workspaces/keys/api-key-text.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';

test('a key can be parsed and its secret verified', () => {
  const id = newId();
  const { text, secretHash } = createApiKeyText(id);
  const parsed = parseApiKeyText(text);
  expect(parsed?.id).toBe(id);
  expect(isSecretOf(parsed?.secret ?? '', secretHash)).toBe(true);
  expect(isSecretOf('A'.repeat(43), secretHash)).toBe(false);
  expect(text).not.toContain(secretHash.toString('hex'));
});

test('two keys never have the same secret', () => {
  const secrets = Array.from({ length: 100 }, () => createApiKeyText(newId()).text.slice(-43));
  expect(new Set(secrets).size).toBe(100);
});

test.each([
  '',
  'holdfast_',
  `holdfast_${newId()}`,
  `holdfast_${newId()}_short`,
  `x_${newId()}_${'A'.repeat(43)}`,
])('"%s" is not a valid key', (text) => {
  expect(parseApiKeyText(text)).toBeNull();
});
