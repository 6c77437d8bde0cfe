import { z } from 'zod';
import { HoldfastError } from '../../domain/errors.ts';
import { toOneLine } from '../../domain/text.ts';
import { readCapped } from '../../platform/egress/capped-body.ts';

/** The scan of one file, which gets the bytes while they are stored. */
export interface FileScan {
  /** Gives the next bytes to the scanner, and waits while it does not read. */
  write: (bytes: Uint8Array) => Promise<void>;
  /** Waits for the verdict. @throws HoldfastError `FILE_REFUSED`, or `SERVICE_UNAVAILABLE` without a verdict */
  finish: () => Promise<void>;
  /** Ends a scan whose verdict is no longer needed. */
  cancel: () => void;
}

/** Begins the scan of a file. */
export type FileScanner = (name: string | null) => FileScan;

interface ScannerOptions {
  url: string;
  /** Sent as `Authorization: Bearer`. */
  token?: string | undefined;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** How long the scanner may leave bytes unread, or take for its verdict. @default 60 000 */
  timeoutMs?: number;
}

const verdictSchema = z.object({ clean: z.boolean(), reason: z.string().optional() });

const maxVerdictBytes = 64 * 1024;
const maxReasonCharacters = 200;

/**
 * Builds the access to a scanner, an HTTP server of the operator. It gets the bytes as the body of a POST, and answers
 * `{ "clean": true }`, or `{ "clean": false, "reason": "…" }` at any time. Without a verdict no file is accepted.
 */
export function createFileScanner({ url, token, fetch, timeoutMs = 60_000 }: ScannerOptions): FileScanner {
  return (name) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const stop = new AbortController();
    let hasEnded = false;
    const headers = {
      'content-type': 'application/octet-stream',
      ...(name === null ? {} : { 'x-file-name': encodeURIComponent(name) }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const init = { method: 'POST', headers, body: readable, duplex: 'half', signal: stop.signal };
    let failure: HoldfastError | undefined;
    const answered = fetch(url, init as RequestInit)
      .then(readVerdict)
      .then(
        ({ clean, reason = 'no reason given' }) => {
          if (!clean) failure = toRefusal(reason);
          else if (!hasEnded) failure = toUnavailable(new Error('it answered before it had read the file'));
        },
        (error: unknown) => void (failure = toUnavailable(error)),
      );
    /** A scanner that has answered reads no further; its stream then fails, which is no error. */
    const inTime = async (work: Promise<unknown>): Promise<void> => {
      const timer = setTimeout(() => stop.abort(new Error(`no answer in ${timeoutMs / 1000} s`)), timeoutMs);
      await Promise.race([work.catch(() => undefined), answered]).finally(() => clearTimeout(timer));
      if (failure) throw failure;
    };
    return {
      write: async (bytes) => {
        await inTime(writer.ready);
        void writer.write(bytes).catch(() => undefined);
      },
      finish: () => {
        hasEnded = true;
        void writer.close().catch(() => undefined);
        return inTime(answered);
      },
      cancel: () => stop.abort(),
    };
  };
}

async function readVerdict(response: Response): Promise<z.infer<typeof verdictSchema>> {
  const { bytes } = await readCapped(response, maxVerdictBytes);
  if (response.status !== 200) throw new Error(`it answered with status ${response.status}`);
  return verdictSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
}

function toRefusal(reason: string): HoldfastError {
  const text = toOneLine(reason, maxReasonCharacters);
  return new HoldfastError('FILE_REFUSED', `The virus scan refused the file: ${text}`, {
    details: { reason: text },
  });
}

function toUnavailable(cause: unknown): HoldfastError {
  const message = 'The file could not be scanned for viruses, so it was not accepted. Try again shortly.';
  return new HoldfastError('SERVICE_UNAVAILABLE', message, { cause });
}
