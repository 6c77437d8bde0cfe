import type { JsonValue } from '../../domain/json.ts';

/** A payload of a history or of a command. */
export interface PayloadBytes {
  metadata?: Record<string, Uint8Array> | null;
  data?: Uint8Array | null;
}

/** Returns the value of a payload in JSON. A payload of another encoding becomes its bytes in base64. */
export function toValue({ metadata, data }: PayloadBytes): JsonValue {
  const encoding = Buffer.from(metadata?.['encoding'] ?? []).toString();
  if (encoding === 'binary/null') return null;
  const bytes = Buffer.from(data ?? []);
  return isJson(encoding) ? (JSON.parse(bytes.toString()) as JsonValue) : bytes.toString('base64');
}

/** Returns whether payloads of an encoding hold JSON. */
export function isJson(encoding: string): boolean {
  return encoding === 'json/plain' || encoding === 'json/protobuf';
}
