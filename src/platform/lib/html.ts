/** HTML that can be put into a page without escaping. */
export interface Html {
  toString: () => string;
  readonly isHtml: true;
}

type Part = Html | Html[] | string | number | undefined;

/** Builds HTML from a template; all values are escaped, except HTML. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  const rest = texts.slice(1).map((text, index) => toText(parts[index]) + text);
  return toHtml((texts[0] ?? '') + rest.join(''));
}

function toHtml(text: string): Html {
  return { isHtml: true, toString: () => text };
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function toText(part: Part): string {
  if (part === undefined) return '';
  if (Array.isArray(part)) return part.join('');
  if (typeof part === 'object') return part.toString();
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
