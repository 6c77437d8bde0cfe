import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/domain/json.ts';
import { createAnswerGuard } from '../../../src/engines/rules/answer-guard.ts';
import { createCanaryDetector, type CanaryDetector } from '../../../src/engines/rules/canary-detector.ts';
import { isCanaryInJson, redactJsonObject } from '../../../src/engines/rules/canary-json.ts';

const token = 'Zebra-7719 Quokka';
const bytes = Buffer.from(token);

function detect(...tokens: string[]): CanaryDetector {
  const detector = createCanaryDetector(tokens);
  if (!detector) throw new Error('there should be a detector');
  return detector;
}

const forms: [form: string, text: string][] = [
  ['as it is', token],
  ['in capitals', token.toUpperCase()],
  ['with another kind of white space', token.replace(' ', '\n')],
  ['with invisible characters in it', Array.from(token).join('\u200b')],
  ['in hexadecimal', bytes.toString('hex')],
  ['in capital hexadecimal', bytes.toString('hex').toUpperCase()],
  ['in base64', bytes.toString('base64')],
  ['in base64 of a URL', bytes.toString('base64url')],
  ['in base64, one byte further', Buffer.from(`x${token}`).toString('base64')],
  ['in base64, two bytes further', Buffer.from(`xy${token} z`).toString('base64')],
  ['in base64 of another case', Buffer.from(token.toUpperCase()).toString('base64')],
  ['in base64 with line breaks', bytes.toString('base64').replace(/.{5}/g, '$&\r\n')],
  ['URL-encoded', encodeURIComponent(token)],
  ['as a value of a form', new URLSearchParams({ q: token }).toString()],
  ['in URL-encoded base64', encodeURIComponent(bytes.toString('base64'))],
  ['with tag characters between its letters', Array.from(token).join('\u{e0061}\u{e0020}')],
  ['with soft hyphens and joiners', Array.from(token).join('\u00ad\u2060\u200d')],
  ['with variation selectors', Array.from(token).join('\ufe0f')],
  ['with Hangul fillers', Array.from(token).join('\u3164\uffa0')],
  ['with spaces', Array.from(token).join(' ')],
  ['with wide spaces and line breaks', Array.from(token).join('\u3000\n')],
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
    // Up to 4 characters stand before the first one of the token: `["`, `q=`, or base64 that holds its first bits.
    expect(shown.length).toBeLessThanOrEqual(whole.indexOf(text) + 4);
  });
});

test('a streamed text without a token is shown, except for an end that may begin a token', () => {
  const guard = createAnswerGuard(detect(token));
  const text = 'A zebra is not a horse, nor 7719 of them, nor 5a65 or Wm ';
  const shown = Array.from(text, (character) => guard(character)).join('');

  expect(text.startsWith(shown)).toBe(true);
  // "Wm" is the beginning of the token in base64.
  expect(shown).toBe(text.slice(0, text.indexOf('Wm')));
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

test.each<[string, JsonValue]>([
  ['over two arguments', { first: token.slice(0, 7), second: { third: token.slice(7) } }],
  ['over an array of characters', { text: Array.from(token) }],
  [
    'in base64 over several values',
    [bytes.toString('base64').slice(0, 9), bytes.toString('base64').slice(9)],
  ],
])('a token that is split %s is found and replaced', (_how, value) => {
  const detector = detect(token, 'another token');
  expect(isCanaryInJson(detector, value)).toBe(true);
  const redacted = redactJsonObject(detector, { before: 'kept', value, after: 5 });
  expect(redacted).toMatchObject({ before: 'kept', after: 5 });
  expect(isCanaryInJson(detector, redacted)).toBe(false);
  expect(JSON.stringify(redacted)).not.toMatch(/Zebr|Quok|WmVi/);
});

test('an object over whose own values a token is split is replaced as a whole', () => {
  const input = { first: token.slice(0, 7), second: token.slice(7), third: 'fine' };
  expect(redactJsonObject(detect(token), input)).toEqual({ '[canary]': '[canary]' });
});

test('a value that is nested too deep to be copied is replaced as a whole', () => {
  const deep = Array.from({ length: 200 }).reduce<JsonValue>((inner) => [inner], token);
  const redacted = redactJsonObject(detect(token), { deep, fine: 1 });
  expect(redacted).toMatchObject({ fine: 1 });
  expect(isCanaryInJson(detect(token), redacted)).toBe(false);
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

test.each([
  ['a number with more digits than a character has', '90101981141970000'],
  ['letters of the token in another order', 'Quokka 7719 Zebra'],
  ['a part of the token', 'Zebra 7719 Quokk'],
  ['the numbers of its characters', JSON.stringify([...bytes])],
  ['the token in base64 of base64', btoa(bytes.toString('base64'))],
  ['prose', 'The quokka (Setonix brachyurus) and the zebra, 77 of 19, are no kin: see %20 &amp; \\n 0x5a.'],
])('%s is not a token', (_what, text) => {
  expect(detect(token).isIn(text)).toBe(false);
});

test('a token of punctuation is compared by all of its characters', () => {
  const detector = detect('<<~#%#~>>');
  expect(detector.isIn('it is <<~# %#~>>')).toBe(true);
  expect(detector.isIn(btoa('<<~#%#~>>'))).toBe(true);
  expect(detector.isIn('it is <<~#!#~>>')).toBe(false);
});

test('a token is found at any place of a long text', () => {
  const detector = detect(token);
  for (const place of [0, 65_530, 65_536, 81_910, 131_070, 299_980]) {
    const text = 'x.'.repeat(150_000);
    const whole = text.slice(0, place) + token + text.slice(place);
    expect(detector.redact(whole)).toBe(`${text.slice(0, place)}[canary]${text.slice(place)}`);
  }
});

// Twice the length takes twice the time: with the square of it these texts would take minutes.
test.each([
  ['beginnings of the token', 'Zebra-7719 Quokk'],
  ['beginnings of it with gaps', `Z${' '.repeat(60)}e${' '.repeat(60)}`],
  ['base64', 'WmVi'],
  ['hexadecimal', '5a65 '],
  ['invisible characters', '\u200b\u{e005a}'],
])('a long text of %s is read in linear time, whole and in pieces', { timeout: 20_000 }, (_what, part) => {
  const detector = detect(token);
  const text = part.repeat(200_000 / part.length);
  expect(detector.isIn(text)).toBe(false);
  expect(detector.isIn(`${text}. ${token}`)).toBe(true);
  const guard = createAnswerGuard(detector);
  let shown = '';
  for (let start = 0; start < text.length; start += 500) shown += guard(text.slice(start, start + 500)) ?? '';
  expect(text.startsWith(shown)).toBe(true);
  expect(shown.length).toBeGreaterThan(text.length - 16_384);
});
