import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { OpenApiError, toPointer } from './openapi-error.ts';
import { resolveReference } from './resolve-reference.ts';

/** A parameter of an operation, with its fields in the document. */
export interface OpenApiParameter {
  name: string;
  /** `path`, `query`, `header`, `cookie`, or by Swagger 2 `body` or `formData`. */
  in: string;
  required: boolean;
  definition: JsonObject;
  /** Its place in the document, as a JSON pointer. */
  pointer: string;
}

/** A list of parameters and its place in the document. */
interface ParameterList {
  list: JsonValue | undefined;
  pointer: string;
}

/**
 * Merges the parameters of a path and of its operation: those of later lists replace earlier ones that have the same name
 * and place.
 * @throws OpenApiError
 */
export function mergeParameters(document: JsonObject, ...lists: ParameterList[]): OpenApiParameter[] {
  const merged = new Map<string, OpenApiParameter>();
  for (const { list, pointer: listPointer } of lists)
    for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
      const pointer = toPointer(listPointer, index);
      const definition = resolveReference(document, entry, pointer);
      const { name, in: place, required } = definition;
      if (typeof name !== 'string' || typeof place !== 'string')
        throw new OpenApiError('a parameter has no name or no place', pointer);
      const needed = required === true || place === 'path';
      merged.set(`${place} ${name}`, { name, in: place, required: needed, definition, pointer });
    }
  return [...merged.values()];
}
