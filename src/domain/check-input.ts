import type { z } from 'zod';
import type { FieldError } from './errors.ts';
import { createUnknownFieldMessage } from './unknown-field.ts';

/** An input that satisfies its schema, or what is wrong with it: at most 50 fields. */
export type CheckedInput<Value> = { success: true; value: Value } | { success: false; errors: FieldError[] };

const mostFieldErrors = 50;

interface InputNames {
  /** The name of the input itself. @default 'input' */
  whole?: string;
  /** The path of the input in what its author knows. @default none */
  within?: readonly string[];
}

/** The objects of which fields were not known, by the list of these fields in the issue. */
type Objects = Map<readonly string[], z.core.$ZodType>;

/**
 * Checks what a person or a program wrote by a schema. The schemas of such inputs are made of `z.strictObject`; the error
 * of a field that is not known names the nearest one that is.
 */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  place: InputNames = {},
): CheckedInput<z.output<Schema>> {
  const objects: Objects = new Map();
  const keepObject: z.core.$ZodErrorMap = ({ code, keys, inst }) => {
    if (code === 'unrecognized_keys' && inst) objects.set(keys, inst as z.core.$ZodType);
    return undefined;
  };
  const parsed = schema.safeParse(input, { error: keepObject });
  if (parsed.success) return { success: true, value: parsed.data };
  return { success: false, errors: toFieldErrors(parsed.error, { schema, objects, place }) };
}

interface CheckedWith {
  schema: z.ZodType;
  objects: Objects;
  place: InputNames;
}

function toFieldErrors(
  error: z.core.$ZodError,
  { schema, objects, place: { whole = 'input', within = [] } }: CheckedWith,
): FieldError[] {
  const describeUnknown = createUnknownFieldMessage(schema);
  const toMessage = ({ issue, key }: FoundIssue) =>
    key === undefined
      ? tidyMessage(issue.message)
      : describeUnknown({ name: key, path: issue.path, known: listKnown(issue, objects) });
  return error.issues
    .flatMap(listIssues)
    .slice(0, mostFieldErrors)
    .map((found) => {
      const key = found.key === undefined ? [] : [found.key.slice(0, 200)];
      const path = [...within, ...found.issue.path.map(String), ...key].join('.');
      return { field: path === '' ? whole : path, message: toMessage(found) };
    });
}

interface FoundIssue {
  issue: z.core.$ZodIssue;
  /** The field that is not known. */
  key?: string;
}

/** Returns the issues of the option that was meant in place of that of its union, and one issue for each unknown field. */
function listIssues(issue: z.core.$ZodIssue): FoundIssue[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ issue, key }));
  const chosen = issue.code === 'invalid_union' ? findChosenOption(issue) : undefined;
  if (!chosen) return [{ issue }];
  return chosen.flatMap((inner) => listIssues({ ...inner, path: [...issue.path, ...inner.path] }));
}

/**
 * Returns the issues of the option of a union that the input is of: the one whose issues are all about fields inside it.
 * Of several it is the one that only has fields which are not known. Undefined when there is none, or still several.
 */
function findChosenOption({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  const isUnknownField = ({ code }: z.core.$ZodIssue) => code === 'unrecognized_keys';
  const inside = errors.filter(
    (issues) => issues.length > 0 && issues.every((issue) => issue.path.length > 0 || isUnknownField(issue)),
  );
  if (inside.length < 2) return inside[0];
  const unknown = inside.filter((issues) => issues.every(isUnknownField));
  return unknown.length === 1 ? unknown[0] : undefined;
}

function listKnown(issue: z.core.$ZodIssue, objects: Objects): string[] {
  const object = issue.code === 'unrecognized_keys' ? objects.get(issue.keys) : undefined;
  return object && 'shape' in object ? Object.keys(object.shape as object) : [];
}

/** Removes "Invalid input: " from messages such as "Invalid input: expected string, received number". */
function tidyMessage(message: string): string {
  const text = message.replace(/^[A-Z][a-z]+ [a-z]+: /, '');
  if (text.endsWith('received undefined')) return text.replace('received undefined', 'found nothing');
  return text.replace(/, received /, ', found ');
}
