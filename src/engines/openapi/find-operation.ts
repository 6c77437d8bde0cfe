import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { mergeParameters, type OpenApiParameter } from './merge-parameters.ts';
import { resolveReference } from './resolve-reference.ts';
import { OpenApiError } from './openapi-error.ts';

/** An operation of an OpenAPI document with its place. */
export interface OpenApiOperation {
  /** In upper case. */
  method: string;
  /** The path as the document writes it, such as `/pets/{petId}`. */
  path: string;
  /** The address before the path, without a slash at the end. */
  server: string;
  /** Its parameters and those of its path, without references. */
  parameters: OpenApiParameter[];
  /** The request body of OpenAPI 3, without references; null for none. */
  requestBody: JsonObject | null;
  /** The media types that it takes by Swagger 2. */
  consumes: string[];
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Finds an operation by its id, in a document of OpenAPI 3 or Swagger 2. A server without a host is that of the document.
 * @throws OpenApiError
 */
export function findOperation(
  document: JsonObject,
  operationId: string,
  documentUrl: string,
): OpenApiOperation {
  const isSwagger = document.swagger === '2.0';
  if (!isSwagger && !(typeof document.openapi === 'string' && document.openapi.startsWith('3.')))
    throw new OpenApiError('expected "openapi: 3…" or "swagger: 2.0"');
  for (const [path, entry] of Object.entries(isJsonObject(document.paths) ? document.paths : {})) {
    const item = resolveReference(document, entry);
    for (const method of methods) {
      const operation = item[method];
      if (!isJsonObject(operation) || operation.operationId !== operationId) continue;
      return {
        ...{ method: method.toUpperCase(), path },
        server: isSwagger
          ? toSwaggerServer(document, documentUrl)
          : toServer({ document, item, operation }, documentUrl),
        parameters: mergeParameters(
          document,
          { list: item.parameters, pointer: '' },
          { list: operation.parameters, pointer: '' },
        ),
        requestBody:
          operation.requestBody === undefined ? null : resolveReference(document, operation.requestBody),
        consumes: listTexts(operation.consumes ?? document.consumes),
      };
    }
  }
  throw new OpenApiError(`it has no operation "${operationId}"`);
}

interface Placed {
  document: JsonObject;
  item: JsonObject;
  operation: JsonObject;
}

function toServer({ document, item, operation }: Placed, documentUrl: string): string {
  const lists = [operation.servers, item.servers, document.servers];
  const list = lists.find((servers) => Array.isArray(servers) && servers.length > 0);
  const server = Array.isArray(list) && isJsonObject(list[0]) ? list[0] : {};
  const variables = isJsonObject(server.variables) ? server.variables : {};
  const url = typeof server.url === 'string' ? server.url : '/';
  return toAbsolute(
    url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
      const variable = variables[name];
      return isJsonObject(variable) && typeof variable.default === 'string' ? variable.default : whole;
    }),
    documentUrl,
  );
}

function toSwaggerServer({ schemes, host, basePath }: JsonObject, documentUrl: string): string {
  const { host: ownHost } = new URL(documentUrl);
  const own = new URL(documentUrl).protocol.replace(':', '');
  const known = listTexts(schemes).filter((one) => one === 'https' || one === 'http');
  const scheme = known.find((one) => one === own) ?? known.find((one) => one === 'https') ?? known[0] ?? own;
  const place = typeof host === 'string' ? host : ownHost;
  return toAbsolute(`${scheme}://${place}${typeof basePath === 'string' ? basePath : ''}`, documentUrl);
}

function toAbsolute(url: string, documentUrl: string): string {
  const absolute = URL.parse(url, documentUrl);
  if (!absolute) throw new OpenApiError(`"${url}" is no address of a server`);
  return absolute.href.replace(/\/+$/, '');
}

function listTexts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
