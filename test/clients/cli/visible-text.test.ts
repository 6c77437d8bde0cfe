import { describe, expect, it } from 'vitest';
import { toSafeJson, toVisible } from '../../../src/clients/cli/visible-text.ts';

describe('the visible form of a text', () => {
  it.for([
    ['a colour', '\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
    ['a title of the window', '\u001b]0;owned\u0007', '␛]0;owned␇'],
    ['a clear screen of C1', '\u009b2J', '\ufffd2J'],
    ['backspaces', 'safe\b\b\b\bevil', 'safe␈␈␈␈evil'],
    ['a carriage return alone', 'safe\revil', 'safe␍evil'],
    ['NUL, vertical tab, form feed and DEL', '\u0000\u000b\u000c\u007f', '␀␋␌␡'],
  ] as const)('shows %s as symbols', ([, text, shown]) => {
    expect(toVisible(text)).toBe(shown);
  });

  it('keeps newlines, tabs, letters and symbols', () => {
    const text = 'One\n\ttwo – Grüße 👩‍👩‍👧 עברית';
    expect(toVisible(text)).toBe(text);
    expect(toVisible('One\r\ntwo')).toBe('One\ntwo');
  });
});

describe('JSON for programs', () => {
  it('has no control characters, and means the same', () => {
    const value = { text: '\u001b[2J\u009b2J\u007f\r\n' };
    const json = toSafeJson(value, 2);
    expect(json.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(JSON.parse(json)).toEqual(value);
  });
});
