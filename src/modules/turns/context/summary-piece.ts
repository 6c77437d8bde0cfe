import type { ContextStart } from '../../../domain/compaction.ts';
import type { ContextMessage } from '../../../domain/model-context.ts';
import { toTranscript } from './summary-prompt.ts';

/** The turns that one summary adds to the former one. */
export interface SummaryPiece {
  text: string;
  /** The last turn that is in it, and how many characters of the one after it. */
  throughOrdinal: number;
  throughOffset: number;
}

interface PieceOptions {
  start: Pick<ContextStart, 'throughOrdinal' | 'throughOffset'>;
  /** The last turn that is to be summarized. */
  throughOrdinal: number;
  /** The maximum number of bytes that a model takes at once. */
  maxBytes: number;
}

/** Takes as many of the oldest turns as a model can be given at once: at least a part of the first one. */
export function takePiece(
  context: readonly ContextMessage[],
  { start, throughOrdinal, maxBytes }: PieceOptions,
): SummaryPiece {
  const turns = Map.groupBy(
    context.filter(({ role, turnOrdinal }) => role !== 'summary' && turnOrdinal <= throughOrdinal),
    ({ turnOrdinal }) => turnOrdinal,
  );
  const texts: string[] = [];
  let bytes = 0;
  let last = start.throughOrdinal;
  for (const [ordinal, messages] of turns) {
    const text = toTranscript(messages).slice(texts.length === 0 ? start.throughOffset : 0);
    const size = Buffer.byteLength(text);
    if (bytes + size > maxBytes && texts.length === 0) {
      const part = text.slice(0, Math.max(1, Math.floor((text.length * maxBytes) / size)));
      const throughOffset = start.throughOffset + part.length;
      return { text: part.toWellFormed(), throughOrdinal: start.throughOrdinal, throughOffset };
    }
    if (bytes + size > maxBytes) break;
    texts.push(text);
    bytes += size;
    last = ordinal;
  }
  const isWhole = turns.size === texts.length;
  return {
    text: texts.join('\n\n'),
    throughOrdinal: isWhole ? throughOrdinal : last,
    throughOffset: 0,
  };
}
