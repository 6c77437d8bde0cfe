import type { Query } from '../../../platform/database/statement.ts';
import { divideRows, readStreams, type PlacedStreamRow } from '../events/stream-chunk-repository.ts';
import type { StreamCursor, StreamSource } from './delivery.ts';
import type { ReadBatch } from './order-batch.ts';
import { batchLimits, toReadBatch } from './read-batch.ts';

/** A stream and the position of its reader. */
type WantedPart = StreamSource & { cursor: StreamCursor };

/** Reads the events and chunks after a cursor, up to the size of a batch. Null when the conversation was deleted. */
export type BatchReader = (wanted: WantedPart) => Promise<ReadBatch | null>;

interface BatchReaderOptions {
  /** Runs a statement that sees the rows of every workspace. */
  readStreams: Query;
  /** The shortest time from one read to the next, in milliseconds. @default 10 */
  pauseMs?: number;
}

interface Waiting {
  wanted: WantedPart;
  found: PromiseWithResolvers<ReadBatch | null>;
}

/**
 * Reads for all streams of this process together what they lack, in one statement for all that have asked since the one before.
 * It sees every workspace, so the caller has to have looked whether its reader may read the conversation.
 */
export function createBatchReader({ readStreams: query, pauseMs = 10 }: BatchReaderOptions): BatchReader {
  let waiting: Waiting[] = [];
  let isReading = false;
  let timer: NodeJS.Timeout | undefined;
  let startedAt = -Infinity;

  function schedule(): void {
    if (isReading || waiting.length === 0) return;
    timer ??= setTimeout(start, Math.max(0, startedAt + pauseMs - performance.now()));
  }

  function start(): void {
    const taken = waiting;
    waiting = [];
    timer = undefined;
    isReading = true;
    startedAt = performance.now();
    void readAll(query, taken).then(() => {
      isReading = false;
      schedule();
    });
  }

  return (wanted) => {
    const found = Promise.withResolvers<ReadBatch | null>();
    waiting.push({ wanted, found });
    schedule();
    return found.promise;
  };
}

async function readAll(query: Query, waiting: readonly Waiting[]): Promise<void> {
  try {
    const parts = waiting.map(({ wanted }) => wanted);
    const rows = await query(readStreams, {
      conversationIds: parts.map(({ conversationId }) => conversationId),
      turnIds: parts.map(({ turnId }) => turnId ?? null),
      afterSeqs: parts.map(({ cursor }) => cursor.seq),
      afterChunkIds: parts.map(({ cursor }) => cursor.chunkId),
      ...batchLimits,
    });
    const byPosition = Map.groupBy(rows, ({ position }) => position);
    for (const [index, { found }] of waiting.entries()) found.resolve(toBatch(byPosition.get(index + 1)));
  } catch (error) {
    for (const { found } of waiting) found.reject(error);
  }
}

function toBatch(rows: PlacedStreamRow[] | undefined): ReadBatch | null {
  const [first] = rows ?? [];
  if (!rows || !first) return null;
  const found = rows.flatMap(({ number, ...row }) => (number === null ? [] : [{ ...row, number }]));
  return toReadBatch(divideRows(found), first.last_seq);
}
