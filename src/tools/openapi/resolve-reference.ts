import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { createRoutineError } from '../../domain/routine-error.ts';

/** The most references that lead from one to the next. */
const mostHops = 20;

/**
 * Returns an object of an OpenAPI document, following `$ref` within the document; an empty object for anything else.
 * @throws RoutineError for a reference to another document, and for one that leads nowhere
 */
export function resolveReference(document: JsonObject, value: JsonValue | undefined): JsonObject {
  let found = value;
  for (let hops = 0; isJsonObject(found) && typeof found.$ref === 'string'; hops += 1) {
    if (hops === mostHops) throw wrong(`"${found.$ref}" leads to too many other references`);
    found = findPointer(document, found.$ref);
  }
  return isJsonObject(found) ? found : {};
}

function findPointer(document: JsonObject, reference: string): JsonValue {
  if (!reference.startsWith('#/'))
    throw wrong(`"${reference}" leads out of the document; only references within it are followed`);
  let value: JsonValue = document;
  for (const part of reference.slice(2).split('/')) {
    const name = decodePart(part);
    const fields: JsonValue = value;
    if (!isJsonObject(fields) || !Object.hasOwn(fields, name)) throw wrong(`"${reference}" leads nowhere`);
    value = fields[name] ?? null;
  }
  return value;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}

/** The error of an OpenAPI document that cannot be used. */
export function wrong(message: string): Error {
  return createRoutineError('configuration', `the OpenAPI document cannot be used: ${message}`);
}
