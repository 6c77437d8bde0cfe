import { describe, expect, test } from 'vitest';
import { previewCharacters, toOneLine, toPreview } from '../../src/domain/text.ts';

describe('a preview', () => {
  test('of a short text is the text itself, with its line breaks', () => {
    expect(toPreview('one\ntwo')).toBe('one\ntwo');
    expect(toPreview('x'.repeat(previewCharacters))).toBe('x'.repeat(previewCharacters));
  });

  test('of a long text ends with an ellipsis and is no longer than allowed', () => {
    expect(toPreview('abcdef', 4)).toBe('abc…');
    expect(toPreview('x'.repeat(10_000))).toHaveLength(previewCharacters);
  });

  test('never ends within a character', () => {
    expect(toPreview('ab👍cd', 4)).toBe('ab…');
    expect(toPreview('ab👍cd', 5)).toBe('ab👍…');
  });
});

describe('a line', () => {
  test('has single spaces in place of all white space', () => {
    expect(toOneLine('  one\n\n  two\tthree ')).toBe('one two three');
  });

  test('of a long text ends with an ellipsis', () => {
    expect(toOneLine('word '.repeat(100), 12)).toBe('word word w…');
  });

  test('of a text that begins with much white space may be empty, but is never too long', () => {
    expect(toOneLine(`${' '.repeat(1000)}late`)).toBe('');
    expect(toOneLine('x'.repeat(1_000_000))).toHaveLength(120);
  });
});
