import { HoldfastError } from '../../domain/errors.ts';

/** The beginning of a body; `truncated` says that there was more. */
export interface CappedBody {
  bytes: Uint8Array;
  truncated: boolean;
}

function tooLarge(maxBytes: number): HoldfastError {
  return new HoldfastError('RESPONSE_TOO_LARGE', `The response is longer than ${maxBytes} bytes.`);
}

/**
 * Returns a stream of the first `maxBytes` of another one, which then fails with RESPONSE_TOO_LARGE. It queues
 * nothing, since a stream that fails drops its queue.
 */
export function capStream(stream: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let left = maxBytes;
  let exceeded = false;
  const exceed = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    controller.error(tooLarge(maxBytes));
    await reader.cancel();
  };
  return new ReadableStream(
    {
      async pull(controller) {
        if (exceeded) return exceed(controller);
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        exceeded = value.byteLength > left;
        const part = exceeded ? value.subarray(0, left) : value;
        left -= part.byteLength;
        if (part.byteLength > 0) controller.enqueue(part);
        else if (exceeded) await exceed(controller);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function joinChunks(chunks: Uint8Array[], limit: number): Uint8Array {
  const bytes = Buffer.concat(chunks);
  return bytes.byteLength > limit ? bytes.subarray(0, limit) : bytes;
}

/** Reads at most `limit` bytes of a response and cancels the rest. */
export async function readCapped(response: Response, limit: number): Promise<CappedBody> {
  if (!response.body) return { bytes: new Uint8Array(), truncated: false };
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    while (length <= limit) {
      const { done, value } = await reader.read();
      if (done) return { bytes: joinChunks(chunks, limit), truncated: false };
      chunks.push(value);
      length += value.byteLength;
    }
    await reader.cancel();
  } catch (error) {
    if (!(error instanceof HoldfastError && error.code === 'RESPONSE_TOO_LARGE')) throw error;
  }
  return { bytes: joinChunks(chunks, limit), truncated: true };
}
