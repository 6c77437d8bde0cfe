import { createHash } from 'node:crypto';
import { HoldfastError } from '../../domain/errors.ts';

/** The beginning of a file, which is enough to find its type, and the rest as it arrives. */
export interface SplitBytes {
  head: Buffer;
  /** True when the head is the whole file. */
  isWhole: boolean;
  /** All bytes, the head first. It can be read once. */
  content: AsyncGenerator<Uint8Array>;
}

/** Reads the first bytes of a file, at least `headBytes` if there are so many. */
export async function splitBytes(source: AsyncIterable<Uint8Array>, headBytes: number): Promise<SplitBytes> {
  const iterator = source[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let length = 0;
  let isWhole = false;
  while (!isWhole && length < headBytes) {
    const next = await iterator.next();
    if (next.done === true) isWhole = true;
    else {
      pieces.push(next.value);
      length += next.value.byteLength;
    }
  }
  const head = Buffer.concat(pieces);
  async function* readAll(): AsyncGenerator<Uint8Array> {
    try {
      yield head;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
        yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { head, isWhole, content: readAll() };
}

/** Bytes that are counted while they are read. */
export interface MeteredBytes {
  content: AsyncIterable<Uint8Array>;
  /** The number of bytes and their hash, once all were read. */
  measure: () => { size: number; sha256: string };
}

/**
 * Counts bytes while they are read, and gives them to `tap` too. Reading more than `maxBytes` fails.
 * @throws HoldfastError `PAYLOAD_TOO_LARGE`
 */
export function meterBytes(
  source: AsyncIterable<Uint8Array>,
  { maxBytes, tap }: { maxBytes: number; tap?: ((bytes: Uint8Array) => Promise<void>) | undefined },
): MeteredBytes {
  const hash = createHash('sha256');
  let size = 0;
  async function* read(): AsyncGenerator<Uint8Array> {
    for await (const bytes of source) {
      size += bytes.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      hash.update(bytes);
      await tap?.(bytes);
      yield bytes;
    }
  }
  let sha256: string | undefined;
  return { content: read(), measure: () => ({ size, sha256: (sha256 ??= hash.digest('hex')) }) };
}

function tooLarge(maxBytes: number): HoldfastError {
  const message = `The file is larger than the ${maxBytes / 1024 / 1024} MiB that are accepted.`;
  return new HoldfastError('PAYLOAD_TOO_LARGE', message);
}

/** Joins bytes to pieces of one size; the last one may be smaller. Holds one piece at a time. */
export async function* toPieces(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let piece = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const bytes of source) {
    for (let offset = 0; offset < bytes.byteLength;) {
      const part = bytes.subarray(offset, offset + size - filled);
      piece.set(part, filled);
      filled += part.byteLength;
      offset += part.byteLength;
      if (filled < size) continue;
      yield piece;
      // The reader may still hold the piece before.
      piece = Buffer.allocUnsafe(size);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

/** Reads bytes, and fails at their end unless they are as many as expected. @throws HoldfastError `SERVICE_UNAVAILABLE` */
export async function* checkSize(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let found = 0;
  for await (const bytes of source) {
    found += bytes.byteLength;
    yield bytes;
  }
  if (found !== size) throw wrongSize(size, found);
}

/** Reads bytes into one array with its own buffer. @throws HoldfastError `SERVICE_UNAVAILABLE` when they are not as many as expected */
export async function readWhole(
  source: AsyncIterable<Uint8Array>,
  size: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  for await (const piece of source) {
    if (filled + piece.byteLength > size) break;
    bytes.set(piece, filled);
    filled += piece.byteLength;
  }
  if (filled === size) return bytes;
  throw wrongSize(size, filled);
}

/** The file was deleted while it was read, or its object was replaced. */
function wrongSize(size: number, found: number): HoldfastError {
  return new HoldfastError('SERVICE_UNAVAILABLE', `Expected ${size} bytes of the file, found ${found}.`);
}
