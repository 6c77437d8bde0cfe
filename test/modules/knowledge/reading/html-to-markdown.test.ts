import { describe, expect, test } from 'vitest';
import { htmlToMarkdown } from '../../../../src/modules/knowledge/reading/html-to-markdown.ts';

test.each([
  ['headings', '<h2>A <i>b</i></h2><p>c</p>', '## A *b*\n\nc'],
  ['a heading around blocks', '<h1><div>A</div> <div>b</div></h1>', '# A b'],
  ['emphasis without white space at its edges', 'a<b> b </b>c<i></i>', 'a **b** c'],
  ['emphasis around blocks', '<b><p>a</p><p>b</p></b>', '**a**\n\n**b**'],
  [
    'a link around blocks',
    '<a href="https://a.b/"><h3>A</h3>b</a>',
    '### [A](https://a.b/)\n\n[b](https://a.b/)',
  ],
  ['no addresses that a reader cannot use', '<a href="javascript:x()">a</a> <a href="#b">b</a>', 'a b'],
  ['line breaks', '<p>a<br>b <br> c</p>', 'a\nb\nc'],
  ['lists', '<ul><li>a<li><p>b</p><ol><li>c<li>d</ol></ul>e', '- a\n- b\n  1. c\n  2. d\n\ne'],
  ['quotes', '<blockquote><p>a<br>b</p>c</blockquote>d', '> a\n> b\n\n> c\n\nd'],
  [
    'code',
    '<pre><code class="language-js">\nif (a &lt; b)\n  c()</code></pre>',
    '```js\nif (a < b)\n  c()\n```',
  ],
  ['code that holds fences', '<pre>```\na</pre>', '````\n```\na\n````'],
  ['code inside a text', '<p>run <code>x --y</code>.</p>', 'run `x --y`.'],
  ['text that looks like a heading', '<p># a</p>', '\\# a'],
  ['entities', '<p>&lt;a&gt; &amp;&nbsp;&eacute;</p>', '<a> &\u00a0é'],
  ['nothing that is not for readers', 'a<nav>b<svg><title>c</title></svg></nav><script>"<p>"</script>', 'a'],
  ['text that no tag closes', 'a<b>b<p>c', 'a**b**\n\n**c**'],
])('HTML is converted with %s', (_name, html, markdown) => {
  expect(htmlToMarkdown(html)).toBe(markdown);
});

describe('a table', () => {
  test('of data has a header, and keeps the number of cells of each row', () => {
    const rows = '<tr><th>A<th>B</tr><tr><td>1 <p>2</p><td>3|4<tr><td>5';
    expect(htmlToMarkdown(`x<table>${rows}</table>y`)).toBe(
      'x\n\n| A | B |\n| --- | --- |\n| 1 2 | 3\\|4 |\n| 5 |\n\ny',
    );
  });

  test('that arranges the parts of a page becomes these parts', () => {
    const inner = '<table><tr><td>1<td>2<tr><td>3<td>4</table>';
    const page = `<table><tr><td>menu<td><h2>A</h2><ul><li>b</ul>${inner}<p>c</p><tr><td>d<td>e</table>`;
    expect(htmlToMarkdown(page)).toBe(
      'menu\n\n## A\n\n- b\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |\n\nc\n\nd\n\ne',
    );
  });

  test('with one row or one column becomes its texts', () => {
    expect(htmlToMarkdown('<table><tr><td>a<p>b</p><td>c</table>')).toBe('a\n\nb\n\nc');
    expect(htmlToMarkdown('<table><tr><td>a<tr><td>b</table>')).toBe('a\n\nb');
  });
});
