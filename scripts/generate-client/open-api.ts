import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';

export type Document = OpenApi.Document;

/** Follows a reference to a component; what is no reference is returned as it is. */
export function resolve<Value extends object>(
  document: Document,
  value: Value,
): Exclude<Value, OpenApi.ReferenceObject> {
  if (!('$ref' in value) || typeof value.$ref !== 'string') {
    return value as Exclude<Value, OpenApi.ReferenceObject>;
  }
  const parts = value.$ref.replace('#/', '').split('/');
  const found = parts.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document);
  return found as Exclude<Value, OpenApi.ReferenceObject>;
}

/** The answer of an operation that succeeded: all its statuses of 2xx with a body have the same one. */
export function findSuccess(
  document: Document,
  { responses = {} }: OpenApi.OperationObject,
): OpenApi.ResponseObject | undefined {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => resolve(document, response))
    .find(({ content }) => content !== undefined);
}
