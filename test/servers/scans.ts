import type { IncomingMessage, ServerResponse } from 'node:http';

/** The answer of a virus scanner to one file. */
export type Scan = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** Reads a file that was sent to the scanner. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Answers after the whole file was read. */
export function answerVerdict(text: string, status = 200): Scan {
  return async (request, response) => {
    await readBody(request);
    return response.writeHead(status).end(text);
  };
}

/** Scans that end without a verdict, by their failure. */
export const failingScans: [failure: string, scan: Scan][] = [
  ['fails', answerVerdict('down', 500)],
  ['answers nonsense', answerVerdict('yes')],
  ['gives no verdict', answerVerdict('{"ok": true}')],
  ['breaks the connection', (request) => Promise.resolve(request.destroy())],
];

/** Accepts a file and reads none of it. The answer is whole but not ended, since Node would then read the rest of the file. */
export const acceptUnread: Scan = (_request, response) => {
  const text = '{"clean": true}';
  return Promise.resolve(response.writeHead(200, { 'content-length': text.length }).write(text));
};
