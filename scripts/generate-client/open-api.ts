import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import type { JsonObject } from '../../src/domain/json.ts';
import { resolveReference } from '../../src/engines/openapi/resolve-reference.ts';

export type Document = OpenApi.Document;

/** Resolves a reference to a component, and returns any other value unchanged. */
export function resolve<Value extends object>(
  document: Document,
  value: Value,
): Exclude<Value, OpenApi.ReferenceObject> {
  const found: unknown = resolveReference(document as unknown as JsonObject, value as JsonObject);
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
