import { parseDocument } from 'yaml';
import { createInvalidInput } from '../../../domain/errors.ts';
import { isDeeperThan, isJsonObject, type JsonObject } from '../../../domain/json.ts';
import { mostDocumentBytes } from '../../../domain/routine.ts';

/** The deepest nesting of a document: each task takes three levels. */
const mostLevels = 100;

/**
 * Reads a document of a routine, from YAML, JSON or an object.
 * @throws HoldfastError `INVALID_INPUT`
 */
export function parseRoutineDocument(source: string | JsonObject): JsonObject {
  const value: unknown = typeof source === 'string' ? parseText(source) : source;
  if (!isJsonObject(value)) throw wrong('expected an object with "document" and "do"');
  if (isDeeperThan(value, mostLevels)) throw wrong(`is nested deeper than ${mostLevels} levels`);
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > mostDocumentBytes) throw wrong(`expected at most ${mostDocumentBytes} bytes, found ${bytes}`);
  return value;
}

function parseText(text: string): unknown {
  // JSON is YAML. Without custom tags and with few aliases, the text cannot grow into something else.
  const parsed = parseDocument(text, { schema: 'core', customTags: [], merge: false, prettyErrors: true });
  const [error] = parsed.errors;
  if (error) throw wrong(`is not valid YAML: ${error.message.split('\n', 1)[0]}`);
  try {
    // Through JSON, so that no value is left that JSON does not have.
    return JSON.parse(JSON.stringify(parsed.toJS({ maxAliasCount: 20 }) ?? null));
  } catch (error) {
    throw wrong(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function wrong(message: string) {
  return createInvalidInput([{ field: 'document', message }]);
}
