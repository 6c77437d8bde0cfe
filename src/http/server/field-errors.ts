import type { z } from 'zod';
import type { FieldError } from '../../domain/errors.ts';

const mostFieldErrors = 50;

/** Maps the issues of zod to the invalid fields; `whole` is the name of the input itself. */
export function toFieldErrors(error: z.core.$ZodError, whole: string): FieldError[] {
  return error.issues.flatMap((issue) => fromIssue(issue, whole)).slice(0, mostFieldErrors);
}

function fromIssue(issue: z.core.$ZodIssue, whole: string): FieldError[] {
  const chosen = issue.code === 'invalid_union' ? findChosenOption(issue) : undefined;
  if (chosen)
    return chosen.flatMap((inner) => fromIssue({ ...inner, path: [...issue.path, ...inner.path] }, whole));
  const field = issue.path.map(String).join('.');
  if (issue.code !== 'unrecognized_keys') {
    return [{ field: field === '' ? whole : field, message: toMessage(issue) }];
  }
  return issue.keys.map((key) => ({
    field: [...issue.path, key].map(String).join('.').slice(0, 200),
    message: issue.message,
  }));
}

/**
 * Returns the issues of the option of a union that the input is of: the one whose issues are all about fields inside it.
 * Undefined when there is none, or several.
 */
function findChosenOption({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  const inside = errors.filter((issues) => issues.length > 0 && issues.every(({ path }) => path.length > 0));
  return inside.length === 1 ? inside[0] : undefined;
}

/** The error map of all checks of requests. The message about an unknown field lists the known fields. */
export const nameKnownFields: z.core.$ZodErrorMap = ({ code, inst }) => {
  if (code !== 'unrecognized_keys') return undefined;
  const known = inst && 'shape' in inst ? Object.keys(inst.shape as object) : [];
  if (known.length === 0) return 'unknown field: expected no field of this name';
  return `unknown field: expected one of ${known.map((name) => `"${name}"`).join(', ')}`;
};

/** Removes "Invalid input: " from messages such as "Invalid input: expected string, received number". */
function toMessage({ message }: z.core.$ZodIssue): string {
  const text = message.replace(/^[A-Z][a-z]+ [a-z]+: /, '');
  if (text.endsWith('received undefined')) return text.replace('received undefined', 'found nothing');
  return text.replace(/, received /, ', found ');
}
