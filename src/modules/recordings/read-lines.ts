/** A line of a file, or the reason why it cannot be read. */
export type ReadLine = { number: number } & ({ text: string } | { problem: string });

/** The longest line that is accepted, in bytes. */
const maxLineBytes = 16 * 1024 * 1024;

const lineBreak = 0x0a;

/** Splits a stream of UTF-8 into its lines; empty ones are left out. Of a line that is too long it keeps nothing. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  most = maxLineBytes,
): AsyncGenerator<ReadLine> {
  const line = createLine(most);
  let number = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, start)) {
      line.push(chunk.subarray(start, end));
      start = end + 1;
      const read = line.take();
      if (read) yield { number, ...read };
      number += 1;
    }
    line.push(chunk.subarray(start));
  }
  const read = line.take();
  if (read) yield { number, ...read };
}

function createLine(most: number) {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    push: (piece: Uint8Array): void => {
      bytes += piece.length;
      if (bytes <= most) pieces.push(piece);
      else pieces = [];
    },
    /** Null for an empty line. */
    take: (): { text: string } | { problem: string } | null => {
      const whole = Buffer.concat(pieces);
      const problem = bytes > most ? `expected at most ${most} bytes, found ${bytes}` : null;
      pieces = [];
      bytes = 0;
      if (problem !== null) return { problem };
      return toText(whole);
    },
  };
}

function toText(bytes: Buffer): { text: string } | { problem: string } | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
    return text === '' ? null : { text };
  } catch {
    return { problem: 'expected text in UTF-8, found bytes that are not' };
  }
}
