import { expect, test } from 'vitest';
import { builtInPatterns } from '../../../src/engines/masking/patterns.ts';
import { createValueFinder } from '../../../src/engines/masking/value-finder.ts';

function find(kind: string, text: string): string[] {
  const pattern = builtInPatterns.find((one) => one.kind === kind);
  return (pattern?.find(text) ?? []).map(({ start, end }) => text.slice(start, end));
}

// Card numbers are those that Stripe documents for tests, accounts those of the registry of SWIFT.
test.each([
  [
    'email',
    'To ann.lee+x@mail.example.co.uk, <jörg@bücher.example>.',
    ['ann.lee+x@mail.example.co.uk', 'jörg@bücher.example'],
  ],
  ['phone', 'Call +49 (30) 1234-5678 or 030 12345678.', ['+49 (30) 1234-5678', '030 12345678']],
  ['phone', '(415) 555-2671, 415.555.2671', ['(415) 555-2671', '415.555.2671']],
  [
    'iban',
    'GB82 WEST 1234 5698 7654 32 AND DE89370400440532013000',
    ['GB82 WEST 1234 5698 7654 32', 'DE89370400440532013000'],
  ],
  ['credit_card', '4242 4242 4242 4242 12/27, 378282246310005', ['4242 4242 4242 4242', '378282246310005']],
  ['ipv4', 'from 192.168.0.17, 10.0.0.1:8080', ['192.168.0.17', '10.0.0.1']],
])('%s finds %s', (kind, text, expected) => {
  expect(find(kind, text)).toEqual(expected);
});

test.each([
  ['email', 'a @ b, user@host, @name'],
  [
    'phone',
    '2026-11-01 12:30, 01.12.2026 10, 1700000000000, 0.12345678901, v1.2.3, 01999999-0000-7000-8000-000000000000',
  ],
  ['iban', 'GB82 WEST 1234 5698 7654 33, AB12 something'],
  [
    'credit_card',
    '4242 4242 4242 4241, 1700000000000, 01999999-0000-7000-8000-000000000000, a4242424242424242',
  ],
  ['ipv4', '256.1.1.1, 1.2.3, v1.2.3.4'],
])('%s finds nothing in %s', (kind, text) => {
  expect(find(kind, text)).toEqual([]);
});

test('long texts of one character, which no pattern matches, are read', () => {
  for (const character of ['1', 'a', '1 ', '+', '1.', 'A1'])
    for (const { find: findIn } of builtInPatterns) findIn(character.repeat(20_000));
});

test('known values are found where no letter or digit goes on, the longer one of two', () => {
  const text = 'Ann Lee, Ann Leeds, Lee Ann, x=Ann Lee.';
  const finder = createValueFinder(
    new Map([
      ['Ann Lee', 'person'],
      ['Lee Ann', 'other'],
      ['An', 'short'],
      ['Lee, Ann', 'list'],
    ]),
  );
  expect(finder.find(text).map(({ start, end, kind }) => [text.slice(start, end), kind])).toEqual([
    ['Ann Lee', 'person'],
    ['Lee, Ann', 'list'],
    ['Lee Ann', 'other'],
    ['Ann Lee', 'person'],
  ]);
});
