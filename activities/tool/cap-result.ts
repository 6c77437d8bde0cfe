import type { JsonValue } from '../../src/domain/json.ts';
import { toStorableText } from '../../src/domain/storable.ts';

/** The maximum size of a stored result, in bytes of UTF-8. */
export const storedResultBytes = 256 * 1024;

interface CappedResult {
  text: string;
  /** The length of the result before it was cut, as far as it was read, in bytes. */
  bytes: number;
  truncated: boolean;
}

/** Cuts a result to the maximum size, between two characters. */
export function capResult({
  text,
  truncatedBytes = 0,
}: {
  text: string;
  truncatedBytes?: number;
}): CappedResult {
  const clean = toStorableText(text);
  const bytes = Buffer.byteLength(clean);
  if (bytes <= storedResultBytes)
    return { text: clean, bytes: bytes + truncatedBytes, truncated: truncatedBytes > 0 };
  const cut = Buffer.from(clean)
    .subarray(0, storedResultBytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
  return { text: cut, bytes: bytes + truncatedBytes, truncated: true };
}

/** Returns the parts of a result for storage; null when there are none, or they exceed the maximum size. */
export function capContent(content: JsonValue | undefined): JsonValue {
  if (content === undefined) return null;
  return Buffer.byteLength(JSON.stringify(content)) <= storedResultBytes ? content : null;
}
