import createDomPurify from 'dompurify';
import { Marked } from 'marked';
import { useMemo } from 'react';
import styles from './rendered-markdown.module.css';

const marked = new Marked({ gfm: true, breaks: true });
const purify = createDomPurify(window);

purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer');
  }
  // The page loads no image of another site: its address could carry a text out. The link to it stays.
  if (node.tagName === 'IMG') node.replaceWith(toImageLink(node));
});

function toImageLink(image: Element): HTMLElement {
  const link = document.createElement('a');
  const source = image.getAttribute('src') ?? '';
  if (/^https?:/.test(source)) link.href = source;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  link.textContent = image.getAttribute('alt') || 'image';
  return link;
}

const allowed = {
  ALLOWED_TAGS: [
    ...[
      'p',
      'br',
      'hr',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'ul',
      'ol',
      'li',
      'blockquote',
      'pre',
      'code',
      'a',
    ],
    ...['strong', 'em', 'del', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'img'],
  ],
  ALLOWED_ATTR: ['href', 'src', 'alt', 'title', 'start', 'align'],
  ALLOW_DATA_ATTR: false,
};

function RenderedMarkdown({ text }: { text: string }) {
  const html = useMemo(() => purify.sanitize(marked.parse(text, { async: false }), allowed), [text]);
  return <div className={styles.markdown} dangerouslySetInnerHTML={{ __html: html }} />;
}

// React loads a component by the default export of its module.
// eslint-disable-next-line no-restricted-syntax
export default RenderedMarkdown;
