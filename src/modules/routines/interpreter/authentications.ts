import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { findComponent } from './interpretation.ts';

/** Puts the authentications of `use` in the places of a call that name them. */
export function placeAuthentications(document: JsonObject, given: JsonObject): JsonObject {
  const placed = placeIn(document, given);
  if (placed.endpoint !== undefined) placed.endpoint = placeInEndpoint(document, placed.endpoint);
  if (isJsonObject(placed.document) && placed.document.endpoint !== undefined) {
    const endpoint = placeInEndpoint(document, placed.document.endpoint);
    placed.document = { ...placed.document, endpoint };
  }
  return placed;
}

function placeInEndpoint(document: JsonObject, endpoint: JsonValue): JsonValue {
  return isJsonObject(endpoint) ? placeIn(document, endpoint) : endpoint;
}

function placeIn(document: JsonObject, holder: JsonObject): JsonObject {
  const { authentication } = holder;
  if (!isJsonObject(authentication) || typeof authentication.use !== 'string') return { ...holder };
  return {
    ...holder,
    authentication: findComponent(document, 'authentications', authentication.use) ?? null,
  };
}
