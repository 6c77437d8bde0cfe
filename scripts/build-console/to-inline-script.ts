import { Script } from 'node:vm';

/**
 * Writes a script such that it can stand in a document: nothing in it ends its element, or opens a comment there.
 * @throws Error when the script has such a text elsewhere than in a string, a template or a regular expression
 */
export function toInlineScript(code: string): string {
  const inline = code.replaceAll(/<(?=!--|\/script|script)/gi, '\\x3C');
  // Compiles it without running it.
  new Script(inline);
  return refuseOthers(inline);
}

/** Returns a style sheet that can stand in a document. @throws Error when it has a text that ends its element */
export function toInlineStyle(style: string): string {
  if (/<\/style/i.test(style)) throw new Error('The style sheet has a text that ends its element.');
  return refuseOthers(style);
}

/** A browser reads these characters as other ones, so that the hash in the policy of the document would not fit. */
function refuseOthers(text: string): string {
  if (/[\r\0]/.test(text)) throw new Error('The text has a carriage return or a zero byte.');
  return text;
}
