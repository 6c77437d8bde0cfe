import { isJsonObject, type JsonValue } from './json.ts';

/** Replaces the secrets in a text by `[redacted]`. */
export type Redact = (text: string) => string;

/** Redacts a growing set of secrets. */
export interface Redactor {
  add: (secrets: readonly string[]) => void;
  redact: Redact;
}

const mark = '[redacted]';

/** Shorter secrets are not redacted, since ordinary text may contain them. */
const leastLength = 4;

/** Creates a redactor. It finds secrets in plain text, and encoded for JSON, URLs, hex and base64. */
export function createRedactor(secrets: readonly string[] = []): Redactor {
  const forms = new Set<string>();
  let longestFirst: string[] = [];
  const add = (more: readonly string[]) => {
    for (const secret of more.filter(({ length }) => length >= leastLength)) {
      for (const form of listForms(secret)) forms.add(form);
    }
    // Longest first, since a secret may be part of another one.
    longestFirst = [...forms].sort((one, other) => other.length - one.length);
  };
  add(secrets);
  return { add, redact: (text) => longestFirst.reduce((rest, form) => rest.replaceAll(form, mark), text) };
}

/** Redacts all texts of a JSON value, including the names of fields. */
export function redactJson(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((part) => redactJson(part, redact));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [redact(name), redactJson(part, redact)]),
  );
}

function listForms(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex');
  const escaped = [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), hex, hex.toUpperCase()];
  return [secret, ...escaped, ...listBase64(secret)];
}

/** Lists the base64 of a secret at each offset: base64 encodes groups of three bytes, so the offset changes it. */
function listBase64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const whole = bytes.toString('base64').replaceAll('=', '');
  const shifted = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    // The characters at both ends also hold bits of the bytes before and after the secret.
    const end = (offset + bytes.length) % 3 === 0 ? text.length : -1;
    return text.slice(Math.ceil((offset * 8) / 6), end);
  });
  const forms = [whole, ...shifted].filter(({ length }) => length >= leastLength);
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
