import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { redactJsonTogether, redactTogether } from '../../src/domain/redact-together.ts';
import { createRedactor, redactJson } from '../../src/domain/redact.ts';

const secret = `key/"${randomBytes(12).toString('base64')}"+`;
const { redact, createStream } = createRedactor([secret]);
const hex = Buffer.from(secret).toString('hex');
const base64 = Buffer.from(secret).toString('base64');

test.each([
  ['as it is', secret],
  ['in JSON', JSON.stringify({ secret }).slice(11, -2)],
  ['in a URL', encodeURIComponent(secret)],
  ['in hex', Buffer.from(secret).toString('hex')],
  ['in upper-case hex', Buffer.from(secret).toString('hex').toUpperCase()],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in base64url', Buffer.from(secret).toString('base64url')],
  ['in JSON with escaped slashes', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
  [
    'in a URL with escapes in lower case',
    encodeURIComponent(secret).replace(/%../g, (one) => one.toLowerCase()),
  ],
  ['in a form', new URLSearchParams({ secret }).toString().slice(7)],
  ['in hex with spaces', hex.replace(/..(?=.)/g, '$& ')],
  ['in base64 with line breaks', base64.replace(/.{8}/g, '$&\r\n')],
  ['with spaces', Array.from(secret).join(' ')],
  ['with line breaks', Array.from(secret).join('\r\n')],
  ['with invisible characters', Array.from(secret).join('\u200b')],
])('a secret is redacted in a text %s', (_how, form) => {
  const text = redact(`before ${form} after`);
  expect(text).toContain('before [redacted]');
  expect(text).toContain(' after');
  expect(text).not.toContain(form.slice(4, -4));

  for (const size of [1, 3, 50]) {
    const stream = createStream();
    const whole = `before ${form} after`;
    const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
      stream.push(whole.slice(index * size, (index + 1) * size)),
    );
    expect(pieces.join('') + stream.end()).toBe(text);
  }
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

test.each([
  ['two', [secret.slice(0, 9), secret.slice(9)]],
  ['three', [`see ${secret.slice(0, 3)}`, secret.slice(3, 9), `${secret.slice(9)} here`]],
])('a secret that is split over %s texts is redacted', (_count, parts) => {
  const texts = ['before', ...parts, 'after'];
  const together = redactTogether(texts, redact);
  expect(together.join('')).toMatch(/^before(see )?(\[redacted\])+( here)?after$/);
  expect(redactTogether(['before', 'after'], redact)).toEqual(['before', 'after']);

  const value = { content: texts.map((text) => ({ type: 'text', text, count: 1 })), other: texts };
  const kept = redactJsonTogether(value, redact);
  expect(kept).toEqual({
    content: together.map((text) => ({ type: 'text', text, count: 1 })),
    other: together,
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

test('a text that was cut within a secret loses the beginning of it', () => {
  const cut = (text: string) => redact(text, { isCut: true });
  expect(cut(`so ${secret.slice(0, -1)}`)).toBe('so ');
  expect(cut(`so ${encodeURIComponent(secret).slice(0, 20)}`)).toBe('so ');
  expect(cut(`so ${secret} !`)).toBe('so [redacted] !');
  expect(redact(`so ${secret.slice(0, -1)}`)).toBe(`so ${secret.slice(0, -1)}`);
});

test('a streamed text is shown but for an end that may begin a secret', () => {
  const stream = createRedactor(['#secret-of-two-words']).createStream();
  expect(stream.push('nothing here, or ')).toBe('nothing here, or ');
  expect(stream.push('see #secret')).toBe('see ');
  expect(stream.push('!')).toBe('#secret!');
  expect(stream.push('#secret-\nof')).toBe('');
  expect(stream.push('-two-words, #')).toBe('[redacted], ');
  expect(stream.end()).toBe('#');
});

test('ordinary text is kept as it is', () => {
  const text = 'Fish & chips cost 50% of C:\\new\\table &amp; &#38; \\u0041 0x41 5a:65 Zm9v\nYmFy';
  expect(redact(text)).toBe(text);
  expect(createRedactor(['%41%42%43%44']).redact('ABCD is not it, %41%42%43%44 is')).not.toContain('%41');
  expect(createRedactor(['%41%42']).redact('AB')).toBe('AB');
});

// Twice the length takes twice the time: with the square of it these texts would take minutes.
test.each([
  ['beginnings of the secret', secret.slice(0, -1)],
  ['beginnings of its hex', hex.slice(0, -1)],
  ['digits with gaps', '0x6 '],
  ['white space', ' \n'],
  ['beginnings of the secret with spaces', Array.from(secret.slice(0, -1)).join(' ')],
])('a long text of %s is redacted in linear time', { timeout: 30_000 }, (_what, part) => {
  const text = part.repeat(400_000 / part.length);
  expect(redact(text)).toBe(text);
  expect(redact(`${text} ${secret}`)).toBe(`${text} [redacted]`);
});
