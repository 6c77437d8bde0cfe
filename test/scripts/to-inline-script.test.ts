import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { toInlineScript, toInlineStyle } from '../../scripts/build-console/to-inline-script.ts';

test('a script that stands in a document has no text that the document would read', () => {
  const code = 'answer = ["</script>", `<!--<Script>`, /<!--(a|<\\/script)/u.source.length];';
  const inline = toInlineScript(code);
  expect(inline).not.toMatch(/<!--|<\/?script/i);
  expect(runInNewContext(`let ${inline} answer`)).toEqual([
    '</script>',
    '<!--<Script>',
    '\\x3C!--(a|<\\/script)'.length,
  ]);
});

test('a script that compares with a decrement, or has other line ends, is refused', () => {
  expect(() => toInlineScript('let a = 1, b = 2; a<!--b;')).toThrow();
  expect(() => toInlineScript('a;\r\nb;')).toThrow('carriage return');
});

test('a style sheet that would end its element is refused', () => {
  expect(toInlineStyle('b{color:red}')).toBe('b{color:red}');
  expect(() => toInlineStyle('b::after{content:"</style>"}')).toThrow('ends its element');
});
