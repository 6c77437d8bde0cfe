import { expect, test } from 'vitest';
import { html } from '../../../src/platform/lib/html.ts';

test('text is escaped, and nested HTML is not', () => {
  const inner = html`<b>${'<script>"\'&'}</b>`;
  expect(html`<p>${inner}${7}${undefined}</p>`.toString()).toBe(
    '<p><b>&lt;script&gt;&quot;&#39;&amp;</b>7</p>',
  );
});

test('the items of lists are joined', () => {
  const items = ['a', 'b'].map((text) => html`<li>${text}</li>`);
  expect(html`${items}`.toString()).toBe('<li>a</li><li>b</li>');
});
