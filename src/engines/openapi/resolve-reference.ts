import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { OpenApiError } from './openapi-error.ts';

/** The most references that lead from one to the next. */
const mostHops = 20;

/**
 * Returns an object of an OpenAPI document, following `$ref` within the document; an empty object for anything else.
 * `pointer` is the place of the value, for errors.
 * @throws OpenApiError for a reference to another document, and for one that leads nowhere
 */
export function resolveReference(
  document: JsonObject,
  value: JsonValue | undefined,
  pointer?: string,
): JsonObject {
  let found = value;
  for (let hops = 0; isJsonObject(found) && typeof found.$ref === 'string'; hops += 1) {
    if (hops === mostHops)
      throw new OpenApiError(`"${found.$ref}" leads to too many other references`, pointer);
    found = findReferenced(document, found.$ref, pointer);
  }
  return isJsonObject(found) ? found : {};
}

export function findReferenced(document: JsonObject, reference: string, pointer?: string): JsonValue {
  if (!reference.startsWith('#/'))
    throw new OpenApiError(
      `"${reference}" leads out of the document; only references within it are followed`,
      pointer,
    );
  let value: JsonValue = document;
  for (const part of reference.slice(2).split('/')) {
    const name = decodePart(part);
    const found: JsonValue | undefined = findField(value, name);
    if (found === undefined) throw new OpenApiError(`"${reference}" leads nowhere`, pointer);
    value = found;
  }
  return value;
}

function findField(value: JsonValue, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d{1,6}$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}
