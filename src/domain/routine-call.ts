import type { JsonValue } from './json.ts';

/** The parts of calls of HTTP and OpenAPI that are objects, or one expression whose value is an object. */
export const mappedCallParts = ['headers', 'query', 'parameters'];

const requestCalls = new Set<JsonValue | undefined>(['http', 'openapi']);

/** Returns whether a task calls a function that sends a request of HTTP. */
export function isRequestCall(call: JsonValue | undefined): boolean {
  return requestCalls.has(call);
}
