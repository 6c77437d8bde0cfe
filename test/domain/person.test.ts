import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSamePerson, toPersonKey } from '../../src/domain/person.ts';

describe('names of people', () => {
  it.each([
    ['Ada', ' ADA '],
    ['Ada', 'A\u200Bda'],
    ['Ada', 'Ａｄａ'],
    ['René', 'Rene\u0301'],
    ['René', 'Rene\u200D\u0301'],
    ['slack:T1/U1', 'Slack:T1/U1\u{E0041}'],
  ])('takes %j and %j for one person', (one, other) => {
    expect(isSamePerson(one, other)).toBe(true);
  });

  it.each([
    ['Ada', 'Adam'],
    ['Ada', 'Аda'],
    ['René', 'Rene'],
  ])('takes %j and %j for two people', (one, other) => {
    expect(isSamePerson(one, other)).toBe(false);
  });

  it('keeps a key as it is', () => {
    assert(
      property(string({ unit: 'binary' }), (name) => toPersonKey(toPersonKey(name)) === toPersonKey(name)),
    );
  });
});
