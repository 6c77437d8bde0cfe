/** The control characters of C0 but tab and newline, DEL, and those of C1, as ranges of a regular expression. */
const controls = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f`;

// A carriage return before a newline belongs to the end of a line; alone it lets a text write over what is printed.
const unsafe = new RegExp(`\\r\\n|[${controls}]`, 'g');
const unescapedByJson = /[\u007f-\u009f]/g;

/** The first of the pictures that Unicode has for the characters of C0, in their order. */
const firstPicture = 0x2400;
const pictureOfDelete = '\u2421';

/**
 * Returns a text for a terminal with a symbol in place of each control character, such as `␛` for the one that begins
 * escape sequences, so that texts of models and tools cannot steer the terminal. Newlines and tabs stay. Each character is
 * replaced separately, so that a sequence that arrives in pieces is replaced too.
 */
export function toVisible(text: string): string {
  return text.replaceAll(unsafe, (found) => (found === '\r\n' ? '\n' : toSymbol(found.charCodeAt(0))));
}

function toSymbol(code: number): string {
  if (code < 0x20) return String.fromCharCode(firstPicture + code);
  return code === 0x7f ? pictureOfDelete : '\ufffd';
}

/** Returns a value as JSON without control characters, which JSON leaves as they are from DEL on. */
export function toSafeJson(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, null, indent));
}

/** Writes the control characters of a text of JSON as escapes, which mean the same. */
export function escapeJson(json: string): string {
  return json.replaceAll(
    unescapedByJson,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
