import type { JsonValue } from '../../src/domain/json.ts';
import { toStorableText } from '../../src/domain/storable.ts';

/** The most of a result that is stored, in bytes of UTF-8. */
export const storedResultBytes = 256 * 1024;

interface CappedResult {
  text: string;
  /** The length of the whole result, as far as it was read, in bytes. */
  bytes: number;
  truncated: boolean;
}

/** Cuts a result to what is stored, at a whole character. */
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

/** The parts of a result as they are stored; null when there are none, or more than is stored. */
export function capContent(content: JsonValue | undefined): JsonValue {
  if (content === undefined) return null;
  return Buffer.byteLength(JSON.stringify(content)) <= storedResultBytes ? content : null;
}
