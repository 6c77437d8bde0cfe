/** The body of a request is larger than it may be. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** The bytes that a request may have: as many as the API takes. */
const mostBytes = 1024 * 1024;

/**
 * Reads the body of a request.
 * @throws BodyTooLargeError above 1 MiB
 */
export async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length')) > mostBytes) throw new BodyTooLargeError();
  const parts: Uint8Array[] = [];
  let length = 0;
  // The rest of a large body is not cancelled, since that closes the socket in Node before the answer.
  const stream = request.body as ReadableStream<Uint8Array> | null;
  for await (const part of stream?.values({ preventCancel: true }) ?? []) {
    length += part.byteLength;
    if (length > mostBytes) throw new BodyTooLargeError();
    parts.push(part);
  }
  return concatBytes(parts);
}

/** Joins bytes. */
export function concatBytes(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.byteLength;
  }
  return joined;
}
