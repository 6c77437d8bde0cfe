import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import { OpenApiError, toPointer } from '../../../engines/openapi/openapi-error.ts';
import { resolveReference } from '../../../engines/openapi/resolve-reference.ts';
import { takeName, toName } from './texts.ts';

/** An operation of a document with its JSON pointer. */
export interface ListedOperation {
  /** Its name as an operation of the provider: unique among all operations of the document. */
  name: string;
  operationId: string | null;
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE' | 'PATCH';
  path: string;
  tags: string[];
  operation: JsonObject;
  item: JsonObject;
  pointer: string;
  itemPointer: string;
}

const methods = ['get', 'head', 'put', 'post', 'delete', 'patch'];

/** Checks that a document is one of OpenAPI 3. @throws OpenApiError */
export function requireOpenApi({ openapi, swagger, paths }: JsonObject): void {
  if (swagger !== undefined)
    throw new OpenApiError('Swagger 2.0 is not imported; convert the document to OpenAPI 3', '/swagger');
  if (typeof openapi !== 'string' || !/^3\.[0-2](\.|$)/.test(openapi))
    throw new OpenApiError('expected the version of OpenAPI, such as "3.1.0"', '/openapi');
  if (!isJsonObject(paths)) throw new OpenApiError('expected an object of paths', '/paths');
}

/**
 * Lists all operations of a document, in its order. Names depend on the document alone, so that another choice of operations
 * gives none of them another name.
 * @throws OpenApiError with the JSON pointer of a wrong path or operation
 */
export function listOperations(document: JsonObject, mostNameCharacters: number): ListedOperation[] {
  const taken = new Set<string>();
  const paths = isJsonObject(document.paths) ? document.paths : {};
  return Object.entries(paths).flatMap(([path, entry]) => {
    const itemPointer = toPointer('/paths', path);
    if (path.startsWith('x-')) return [];
    if (!path.startsWith('/')) throw new OpenApiError('expected a path that begins with "/"', itemPointer);
    if (!isJsonObject(entry)) throw new OpenApiError('expected an object', itemPointer);
    const item = resolveReference(document, entry, itemPointer);
    return methods.flatMap((key): ListedOperation[] => {
      const operation = item[key];
      const pointer = toPointer(itemPointer, key);
      if (operation === undefined) return [];
      if (!isJsonObject(operation)) throw new OpenApiError('expected an object', pointer);
      const { tags } = operation;
      const operationId = readOperationId(operation, pointer);
      const plain = toName(operationId ?? `${key}_${path.slice(1)}`, mostNameCharacters);
      return [
        {
          name: takeName(taken, plain, mostNameCharacters),
          ...{ operationId, path, operation, item, pointer, itemPointer },
          method: key.toUpperCase() as ListedOperation['method'],
          tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
        },
      ];
    });
  });
}

function readOperationId({ operationId, parameters }: JsonObject, pointer: string): string | null {
  if (parameters !== undefined && !Array.isArray(parameters))
    throw new OpenApiError('expected a list', toPointer(pointer, 'parameters'));
  if (operationId === undefined || operationId === '') return null;
  if (typeof operationId === 'string') return operationId;
  throw new OpenApiError('expected a text', toPointer(pointer, 'operationId'));
}
