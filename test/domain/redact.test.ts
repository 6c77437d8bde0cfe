import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRedactor, redactJson } from '../../src/domain/redact.ts';

const secret = `key/"${randomBytes(12).toString('base64')}"+`;
const { redact } = createRedactor([secret]);

test.each([
  ['as it is', secret],
  ['in JSON', JSON.stringify({ secret }).slice(11, -2)],
  ['in a URL', encodeURIComponent(secret)],
  ['in hex', Buffer.from(secret).toString('hex')],
  ['in upper-case hex', Buffer.from(secret).toString('hex').toUpperCase()],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in base64url', Buffer.from(secret).toString('base64url')],
])('a secret is redacted in a text %s', (_how, form) => {
  const text = redact(`before ${form} after`);
  expect(text).toContain('before [redacted]');
  expect(text).not.toContain(form);
});

test.each([0, 1, 2, 3, 4, 5])(
  'a secret is redacted in the base64 of a text in which it begins at %d',
  (offset) => {
    for (const behind of ['', '!', '!!', '!!!']) {
      const whole = Buffer.from('x'.repeat(offset) + secret + behind).toString('base64');
      const left = Buffer.from(redact(whole).replace('[redacted]', ''), 'base64').toString();
      expect(redact(whole)).toContain('[redacted]');
      expect(left).not.toContain(secret.slice(2, 6));
    }
  },
);

test('the longer of two secrets is redacted whole, and a text that is too short to be a secret is kept', () => {
  const { redact: both } = createRedactor(['abcd', 'abcdefgh', 'a']);
  expect(both('abcdefgh and abcd, a')).toBe('[redacted] and [redacted], a');
});

test('secrets are redacted in every text of a JSON value', () => {
  const value = { [secret]: [secret, 1, null, { deep: `x${secret}` }] };
  expect(redactJson(value, redact)).toEqual({
    '[redacted]': ['[redacted]', 1, null, { deep: 'x[redacted]' }],
  });
});

test('secrets that are learned later are redacted too', () => {
  const redactor = createRedactor(['first-secret']);
  redactor.add(['second-secret']);
  expect(redactor.redact('first-secret second-secret')).toBe('[redacted] [redacted]');
});

test('a secret that looks like a pattern is matched literally', () => {
  expect(createRedactor(['a.*b$&']).redact('axxb a.*b$& end')).toBe('axxb [redacted] end');
});
