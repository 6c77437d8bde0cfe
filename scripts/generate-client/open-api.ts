import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';

export type Document = OpenApi.Document;

/** Resolves a reference to a component, and returns any other value unchanged. */
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

/** Returns the success response of an operation; all its 2xx statuses with a body have the same one. */
export function findSuccess(
  document: Document,
  { responses = {} }: OpenApi.OperationObject,
): OpenApi.ResponseObject | undefined {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => resolve(document, response))
    .find(({ content }) => content !== undefined);
}
