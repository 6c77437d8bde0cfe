import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeJson } from './visible-text.ts';

/**
 * Writes lines of JSON to a file, which appears when it is whole, or to a stream, which stays open. Returns how many
 * there were. It reads on when the stream has taken what was read before.
 */
export async function writeLines(lines: AsyncIterable<string>, target: string | Writable): Promise<number> {
  if (typeof target !== 'string') return pipe(lines, target, { end: false });
  const part = `${target}.part`;
  try {
    const written = await pipe(lines, createWriteStream(part, { mode: 0o600 }), { end: true });
    await rename(part, target);
    return written;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function pipe(
  lines: AsyncIterable<string>,
  target: Writable,
  options: { end: boolean },
): Promise<number> {
  let written = 0;
  const toBytes = async function* (): AsyncGenerator<string> {
    for await (const line of lines) {
      written += 1;
      yield `${escapeJson(line)}\n`;
    }
  };
  await pipeline(Readable.from(toBytes()), target, options);
  return written;
}
