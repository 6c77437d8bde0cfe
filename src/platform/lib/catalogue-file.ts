import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { checkInput } from '../../domain/check-input.ts';
import { HoldfastError } from '../../domain/errors.ts';

/** A JSON file in which the operator lists what agents may use. */
export interface CatalogueFile {
  /** The kind of the catalogue in messages, such as `MCP`. */
  kind: string;
  /** The path of the file in messages. */
  path: string;
}

/** Throws HoldfastError INVALID_INPUT that names the file; `reason` names the field and has no full stop. */
export function failCatalogue({ kind, path }: CatalogueFile, reason: string): never {
  throw new HoldfastError('INVALID_INPUT', `The ${kind} catalogue ${path} cannot be used: ${reason}.`);
}

/**
 * Reads the text of a catalogue.
 * @throws HoldfastError INVALID_INPUT that names the file
 */
export async function readCatalogueFile(file: CatalogueFile): Promise<string> {
  return readFile(file.path, 'utf8').catch((error: unknown) =>
    failCatalogue(file, `it cannot be read (${(error as Error).message})`),
  );
}

/**
 * Parses the text of a catalogue.
 * @throws HoldfastError INVALID_INPUT that names the file and the field
 */
export function parseCatalogueFile<Value>(
  file: CatalogueFile,
  text: string,
  schema: z.ZodType<Value>,
): Value {
  return parseCatalogueEntry(file, parseJson(file, text), { schema, field: [] });
}

/**
 * Validates a part of a catalogue; `field` is its path in the file.
 * @throws HoldfastError INVALID_INPUT that names the file and the field
 */
export function parseCatalogueEntry<Value>(
  file: CatalogueFile,
  entry: unknown,
  { schema, field }: { schema: z.ZodType<Value>; field: string[] },
): Value {
  const checked = checkInput(schema, entry, { whole: 'the file', within: field });
  if (checked.success) return checked.value;
  return failCatalogue(file, checked.errors.map((error) => `${error.field}: ${error.message}`).join('; '));
}

function parseJson(file: CatalogueFile, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The rest of the parser's message quotes the text, which may hold secrets.
    const [place] = /line \d+ column \d+/.exec((error as Error).message) ?? [];
    return failCatalogue(file, `it is not JSON${place === undefined ? '' : ` (${place})`}`);
  }
}
