import type { ApiTransport } from './api-transport.ts';
import type { CallOptions } from './call-options.ts';
import { operations } from './generated/operations.ts';
import type { ExportRecordingsData } from './generated/types.ts';
import { toRequest } from './operation-request.ts';

/** Which conversations to export. */
export type RecordingFilter = NonNullable<ExportRecordingsData['query']>;

/** Turns that are over, as lines of JSON. */
export interface Recordings {
  /** Yields one line for each turn, without its line break, as the API sends them. */
  export(filter?: RecordingFilter, options?: CallOptions): AsyncGenerator<string>;
}

/** The recordings, over HTTP. */
export function createHttpRecordings(transport: ApiTransport): Recordings {
  return {
    export: async function* (filter = {}, options = {}) {
      const request = toRequest(operations.exportRecordings, [filter, options]);
      const headers = { accept: 'application/x-ndjson, application/json' };
      const response = await transport.open({ ...request, headers });
      yield* readLines(response.body);
    },
  };
}

/** Splits a stream of UTF-8 into lines; it reads on when the caller takes the next one. */
async function* readLines(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      const [first = '', ...others] = decoder.decode(part.value, { stream: true }).split('\n');
      pieces.push(first);
      for (const next of others) {
        yield pieces.join('');
        pieces = [next];
      }
    }
    const rest = pieces.join('') + decoder.decode();
    if (rest !== '') yield rest;
  } finally {
    await reader?.cancel();
  }
}
