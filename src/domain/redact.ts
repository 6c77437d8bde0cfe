import { isJsonObject, type JsonValue } from './json.ts';
import { addForms, createForms, leastLength, type SecretForms } from './secret-forms.ts';
import { createPace, findTexts, findUnfinished, replaceRanges } from './text-search.ts';

/**
 * Replaces the secrets in a text by `[redacted]`. With `isCut` the text is the beginning of a longer one, so an end that
 * may be the beginning of a secret is left out.
 */
export type Redact = (text: string, options?: { isCut?: boolean }) => string;

/** Redacts a growing set of secrets. */
export interface Redactor {
  add: (secrets: readonly string[]) => void;
  redact: Redact;
  /** Creates a redactor for a text that arrives in pieces. */
  createStream: () => RedactedStream;
}

/** Redacts a text that arrives in pieces. */
export interface RedactedStream {
  /** Takes the next piece, and returns the text that may be shown now; an end that may begin a secret is held back. */
  push: (piece: string) => string;
  /** Returns the rest of the text. */
  end: () => string;
}

/** Stands for a secret. */
export const mark = '[redacted]';

/**
 * Creates a redactor. It finds secrets as they are, in JSON, in URL and form encoding, in hexadecimal and in base64, also with
 * white space or invisible characters between their characters. The time is linear in the text.
 */
export function createRedactor(secrets: readonly string[] = []): Redactor {
  const forms = createForms();
  const add = (more: readonly string[]) => {
    for (const secret of more) if (secret.length >= leastLength) addForms(forms, secret);
  };
  add(secrets);
  return {
    add,
    redact: (text, { isCut = false } = {}) =>
      isCut ? redactBeginning(forms, text).redacted : redactWhole(forms, text),
    createStream: () => createStream(forms),
  };
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

/** Splits a text before the place where a secret may begin whose end is missing, and redacts the part before it. */
function redactBeginning(forms: SecretForms, text: string): { redacted: string; rest: string } {
  const secrets = findTexts(forms, text);
  const unfinished = findUnfinished(forms, text) ?? text.length;
  const end = secrets.find((one) => one.start < unfinished && unfinished < one.end)?.start ?? unfinished;
  const before = secrets.filter((one) => one.end <= end);
  return { redacted: replaceRanges(text.slice(0, end), before, mark), rest: text.slice(end) };
}

function redactWhole(forms: SecretForms, text: string): string {
  return replaceRanges(text, findTexts(forms, text), mark);
}

function createStream(forms: SecretForms): RedactedStream {
  let held = '';
  let isDue = createPace();
  return {
    push: (piece) => {
      held += piece;
      if (!isDue(held.length)) return '';
      const { redacted, rest } = redactBeginning(forms, held);
      held = rest;
      isDue = createPace(held.length);
      return redacted;
    },
    end: () => {
      const rest = held;
      held = '';
      return redactWhole(forms, rest);
    },
  };
}
