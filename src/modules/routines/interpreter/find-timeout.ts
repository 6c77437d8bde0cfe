import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import { toRoutineMs } from '../routine-document-contract.ts';
import { findComponent, objectOf } from './interpretation.ts';

/** Returns a timeout of the document or of a task in milliseconds; null for none. */
export function findTimeoutMs(document: JsonObject, timeout: JsonValue | undefined): number | null {
  const found = typeof timeout === 'string' ? findComponent(document, 'timeouts', timeout) : timeout;
  return toRoutineMs(objectOf(found).after);
}
