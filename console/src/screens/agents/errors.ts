import type { FieldErrors } from './draft.ts';

/** Returns true when a field, or a part of it, was refused. */
export function hasError(errors: FieldErrors, ...fields: string[]): boolean {
  return Object.keys(errors).some((name) =>
    fields.some((field) => name === field || name.startsWith(`${field}.`)),
  );
}

/** Returns the messages about a field and its parts in one sentence; undefined without one. */
export function findError(errors: FieldErrors, field: string): string | undefined {
  const found = Object.entries(errors).filter(([name]) => name === field || name.startsWith(`${field}.`));
  if (found.length === 0) return undefined;
  return found
    .map(([name, message]) => (name === field ? message : `${name.slice(field.length + 1)}: ${message}`))
    .join('; ');
}
