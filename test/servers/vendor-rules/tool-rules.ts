import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';

/** The name of a function: https://platform.openai.com/docs/api-reference/responses/create */
export const functionName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);

export const base64 = z.string().regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);

/** A text that is not white space alone. */
export const someText = z.string().regex(/\S/, 'a text has to have more than white space');

export const record = z.record(z.string(), z.unknown());

/** Reports a problem of a request. */
export type Report = (message: string) => void;

/** Makes the refinement of a schema from rules about the whole. */
export function holdTo<Value>(check: (value: Value, report: Report) => void) {
  return (value: Value, context: z.core.$RefinementCtx<Value>) => {
    check(value, (message) => {
      context.addIssue({ code: 'custom', message });
    });
  };
}

/** Reports names that several tools share. */
export function checkUnique(what: string, names: readonly string[], report: Report): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) report(`${what} are not unique: ${repeated}`);
}

/** The definition of a tool, as far as vendors share rules about it. */
export interface Definition {
  name: string;
  schema: Record<string, unknown>;
}

/** Reports a schema whose top is not a plain object, by the keywords that a vendor refuses there. */
export function checkTop(
  { name, schema: { type, ...rest } }: Definition,
  refused: readonly string[],
  report: Report,
): void {
  if (type !== 'object') report(`${name}: the schema must be of type "object"`);
  const found = refused.find((keyword) => keyword in rest);
  if (found !== undefined) report(`${name}: the schema must not have ${found} at the top level`);
}

/** Returns all objects within a value, which are the parts of a schema and the maps between them. */
export function listParts(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(listParts);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(listParts)];
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

/** Reports a schema that the vocabulary of draft 2020-12 does not allow. */
export function checkDraft({ name, schema }: Definition, report: Report): void {
  const plain = { ...schema };
  delete plain['$schema'];
  if (ajv.validateSchema(plain) !== true) report(`${name}: the schema is invalid: ${ajv.errorsText()}`);
}

/** Reports references that lead nowhere in the schema itself. */
export function checkReferences({ name, schema }: Definition, report: Report): void {
  for (const { $ref } of listParts(schema)) {
    if (typeof $ref === 'string' && !leadsSomewhere(schema, $ref))
      report(`${name}: the reference ${$ref} leads nowhere`);
  }
}

function leadsSomewhere(schema: unknown, reference: string): boolean {
  if (!reference.startsWith('#')) return false;
  const keys = reference.slice(1).split('/').slice(1).map(decodeURIComponent);
  return (
    keys.reduce<unknown>((found, key) => {
      const plain = key.replaceAll('~1', '/').replaceAll('~0', '~');
      return typeof found === 'object' && found !== null ? Reflect.get(found, plain) : undefined;
    }, schema) !== undefined
  );
}
