import type { ApiTransport } from './api-transport.ts';
import type { CallOptions } from './call-options.ts';
import { operations } from './generated/operations.ts';
import type {
  ExportRecordingsData,
  ImportRecordingsData,
  ImportRecordingsResponse,
} from './generated/types.ts';
import { readData } from './http-answer.ts';
import { toRequest } from './operation-request.ts';

/** Which conversations to export. */
export type RecordingFilter = NonNullable<ExportRecordingsData['query']>;

/** The numbers of lines that an import stored, skipped and refused. */
export type ImportReport = ImportRecordingsResponse;

/** Where the turns of an import go, and how it is sent. */
export type ImportOptions = NonNullable<ImportRecordingsData['query']> &
  CallOptions & {
    /** Called after each request, with all that became of the lines so far. */
    onProgress?: (report: ImportReport) => void;
  };

/** Turns that are over, as lines of JSON. */
export interface Recordings {
  /** Yields one line for each turn, without its line break, as the API sends them. */
  export(filter?: RecordingFilter, options?: CallOptions): AsyncGenerator<string>;
  /**
   * Stores lines, without their line breaks, as turns that are over. It sends many requests of some lines each; lines that
   * were stored before are skipped, so that an import which ended early can be made again.
   */
  import(lines: Iterable<string> | AsyncIterable<string>, options?: ImportOptions): Promise<ImportReport>;
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
    import: (lines, options = {}) => importLines(transport, lines, options),
  };
}

/** The most lines and characters of one request: the server gives a request 60 seconds. */
const mostLines = 200;
const mostCharacters = 2 * 1024 * 1024;
const importTimeoutMs = 60_000;
const mostErrors = 100;

async function importLines(
  transport: ApiTransport,
  lines: Iterable<string> | AsyncIterable<string>,
  { agentId, onProgress, ...options }: ImportOptions,
): Promise<ImportReport> {
  const query = agentId === undefined ? {} : { agentId };
  const timeoutMs = options.timeoutMs ?? importTimeoutMs;
  let report: ImportReport = {
    ...{ lines: 0, timedOut: false, imported: 0, skipped: 0, refused: 0, errors: [], agents: [] },
  };
  let sent = 0;
  for await (const piece of takePieces(lines)) {
    for (let left = piece; left.length > 0;) {
      const request = toRequest(operations.importRecordings, [query, { ...options, timeoutMs }]);
      const body = new Blob([`${left.join('\n')}\n`], { type: 'application/x-ndjson' });
      // Lines that an attempt without an answer has stored are skipped by the next one.
      const answer = (await transport.send({ ...request, body, repeatable: true }, readData)) as ImportReport;
      const done = answer.timedOut ? answer.lines : left.length;
      report = { ...addReport(report, answer, sent), lines: sent + done };
      sent += done;
      left = left.slice(done);
      onProgress?.(report);
    }
  }
  return report;
}

/** Collects lines to pieces of one request each. A longer line is a separate piece. */
async function* takePieces(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string[]> {
  let piece: string[] = [];
  let characters = 0;
  for await (const line of lines) {
    if (piece.length > 0 && (piece.length >= mostLines || characters + line.length > mostCharacters)) {
      yield piece;
      piece = [];
      characters = 0;
    }
    piece.push(line);
    characters += line.length;
  }
  if (piece.length > 0) yield piece;
}

/** Adds the report of a piece, whose lines are counted from 1, to that of the lines before it. */
function addReport(sum: ImportReport, next: ImportReport, linesBefore: number): ImportReport {
  const errors = next.errors.map(({ line, message }) => ({ line: line + linesBefore, message }));
  const agents = next.agents.filter(({ id }) => !sum.agents.some((known) => known.id === id));
  return {
    ...sum,
    imported: sum.imported + next.imported,
    skipped: sum.skipped + next.skipped,
    refused: sum.refused + next.refused,
    errors: [...sum.errors, ...errors].slice(0, mostErrors),
    agents: [...sum.agents, ...agents],
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
