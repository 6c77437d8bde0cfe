import type { ServerResponse } from 'node:http';

/** How a model may fail: with a status, or by going silent or breaking off after so many pieces of its answer. */
type ModelFault =
  { status: number; retryAfterSeconds?: number } | { ends: 'hang' | 'break'; afterPieces: number };

/** The fault comes before the status of the answer is sent. */
const beforeHeaders = -1;

/** How many pieces an answer of a failing model has: its role, its words, its tool calls, and its end. */
const pieceCount = 7;

/** All faults, one after the other: each status, a hang, and a break at each moment of an answer. */
export const modelFaults: ModelFault[] = [
  { status: 429 },
  { ends: 'break', afterPieces: beforeHeaders },
  { status: 500 },
  { ends: 'hang', afterPieces: beforeHeaders },
  ...Array.from({ length: pieceCount + 1 }, (_, afterPieces): ModelFault => ({ ends: 'break', afterPieces })),
  { status: 429, retryAfterSeconds: 1 },
  { ends: 'hang', afterPieces: 0 },
  { status: 503 },
  { ends: 'hang', afterPieces: 3 },
];

/** Answers as a fault says. A hanging answer ends when its client leaves. */
export async function failWith(response: ServerResponse, fault: ModelFault, pieces: string[]): Promise<void> {
  if ('status' in fault) {
    const { status, retryAfterSeconds } = fault;
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    });
    response.end(JSON.stringify({ error: { message: `The model answers ${status}.` } }));
    return;
  }
  const { ends, afterPieces } = fault;
  if (afterPieces > beforeHeaders) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  }
  for (const piece of pieces.slice(0, Math.max(afterPieces, 0))) await send(response, piece);
  if (ends === 'break') response.destroy();
}

/** Waits until the operating system has the piece, so that breaking the socket loses nothing of it. */
export async function send(response: ServerResponse, piece: string): Promise<void> {
  await new Promise<void>((resolve) => response.write(piece, () => resolve()));
}
