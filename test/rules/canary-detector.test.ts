import { describe, expect, test } from 'vitest';
import { createAnswerGuard } from '../../src/rules/answer-guard.ts';
import { createCanaryDetector, type CanaryDetector } from '../../src/rules/canary-detector.ts';
import { isCanaryInJson, redactJsonObject } from '../../src/rules/canary-json.ts';

const token = 'Zebra-7719 Quokka';
const bytes = Buffer.from(token);

function detect(...tokens: string[]): CanaryDetector {
  const detector = createCanaryDetector(tokens);
  if (!detector) throw new Error('there should be a detector');
  return detector;
}

function escapeEach(write: (code: number) => string): string {
  return Array.from(token, (character) => write(character.charCodeAt(0))).join('');
}

const toHex = (code: number) => code.toString(16).padStart(2, '0');

const forms: [form: string, text: string][] = [
  ['as it is', token],
  ['in capitals', token.toUpperCase()],
  ['with another kind of white space', token.replace(' ', '\n')],
  ['in full-width characters', token.replace('Zebra', 'Ｚｅｂｒａ')],
  ['with invisible characters in it', Array.from(token).join('\u200b')],
  ['in hexadecimal', bytes.toString('hex')],
  ['in capital hexadecimal', bytes.toString('hex').toUpperCase()],
  ['in hexadecimal with colons', bytes.toString('hex').replace(/..(?=.)/g, '$&:')],
  ['in base64', bytes.toString('base64')],
  ['in base64 of a URL', bytes.toString('base64url')],
  ['in base64, one byte further', Buffer.from(`x${token}`).toString('base64')],
  ['in base64, two bytes further', Buffer.from(`xy${token} z`).toString('base64')],
  ['in base64 of another case', Buffer.from(token.toUpperCase()).toString('base64')],
  ['in base64 with line breaks', bytes.toString('base64').replace(/.{5}/g, '$&\r\n')],
  ['URL-encoded', encodeURIComponent(token)],
  ['URL-encoded in every character', escapeEach((code) => `%${toHex(code)}`)],
  ['URL-encoded twice', escapeEach((code) => `%25${toHex(code)}`)],
  ['as a value of a form', new URLSearchParams({ q: token }).toString()],
  ['in URL-encoded base64', encodeURIComponent(bytes.toString('base64'))],
  ['in escapes of JSON', escapeEach((code) => `\\u00${toHex(code)}`)],
  ['in JSON within JSON', escapeEach((code) => `\\\\u00${toHex(code)}`)],
  ['split by an escape', token.replace('b', '\\u0062')],
  ['in short escapes', escapeEach((code) => `\\x${toHex(code)}`)],
];

describe.each(forms)('a token %s', (_form, text) => {
  const detector = detect('another-token', token);
  const whole = `Well, here it is: ${text} - and more.`;

  test('is found within a text and at its end', () => {
    expect(detector.isIn(whole)).toBe(true);
    expect(detector.isIn(text)).toBe(true);
  });

  test('is replaced, and the replaced text has no token', () => {
    const redacted = detector.redact(whole);
    expect(redacted).toContain('[canary]');
    expect(redacted).toMatch(/^Well, here it is: .*and more\.$/s);
    expect(detector.isIn(redacted)).toBe(false);
  });

  test.each([1, 3, 7])('is not shown when the answer is streamed in pieces of %i characters', (size) => {
    const guard = createAnswerGuard(detector);
    let shown = '';
    let isStopped = false;
    for (let start = 0; start < whole.length && !isStopped; start += size) {
      const safe = guard(whole.slice(start, start + size));
      isStopped = safe === null;
      shown += safe ?? '';
    }
    expect(isStopped).toBe(true);
    expect(whole.startsWith(shown)).toBe(true);
    expect(shown.length).toBeLessThanOrEqual(whole.indexOf(text) + 3);
  });
});

test('a streamed text without a token is shown, except for an end that may begin a token', () => {
  const guard = createAnswerGuard(detect(token));
  const text = 'A zebra is not a horse, nor 7719 of them, nor 5a65 or Wm. ';
  const shown = Array.from(text, (character) => guard(character)).join('');

  expect(text.startsWith(shown)).toBe(true);
  expect(shown.length).toBeGreaterThan(text.length - 4);
});

test('a long row of backslashes is shown while it is streamed', () => {
  const guard = createAnswerGuard(detect(token));
  const text = `Z${'\\'.repeat(40_000)}`;
  const shown = Array.from({ length: text.length / 100 }, (_, index) =>
    guard(text.slice(index * 100, (index + 1) * 100)),
  ).join('');

  expect(shown.length).toBeGreaterThan(text.length / 2);
  expect(detect(token).isIn(text + token.slice(1))).toBe(false);
});

test('the beginning of a token at the end of a text is not a token', () => {
  expect(detect(token).isIn(token.slice(0, -1))).toBe(false);
  expect(detect(token).isIn('%5')).toBe(false);
  expect(detect(token).isIn('\\')).toBe(false);
});

test('a token that contains escape sequences itself is found', () => {
  const escaped = 'a%62c\\defgh i';
  expect(detect(escaped).isIn(`see ${escaped}`)).toBe(true);
  expect(detect(escaped).isIn(`see ${encodeURIComponent(escaped)}`)).toBe(true);
  expect(detect(escaped).isIn(Buffer.from(escaped).toString('base64'))).toBe(true);
});

test('an agent without tokens has no detector', () => {
  expect(createCanaryDetector([])).toBeNull();
});

test('tokens are found in the strings, keys and numbers of nested JSON', () => {
  const detector = detect(token, '77197719');
  expect(isCanaryInJson(detector, { a: [{ b: 'fine' }, 1, null, true] })).toBe(false);
  expect(isCanaryInJson(detector, { a: [{ b: `so ${token}` }] })).toBe(true);
  expect(isCanaryInJson(detector, { [token]: 1 })).toBe(true);
  expect(isCanaryInJson(detector, { id: 77197719 })).toBe(true);
});

test('a redacted object keeps its structure', () => {
  const detector = detect(token, '77197719');
  const input = { note: `see ${token}`, list: [77197719, { [token]: true }], fine: null };
  expect(redactJsonObject(detector, input)).toEqual({
    note: 'see [canary]',
    list: ['[canary]', { '[canary]': true }],
    fine: null,
  });
});
