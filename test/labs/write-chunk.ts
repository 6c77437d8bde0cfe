import {
  createStreamChunkWriter,
  type ChunkPlace,
} from '../../src/modules/turns/events/stream-chunk-writer.ts';
import type { Database } from '../../src/platform/database/connect-database.ts';

/** Writes one piece of an answer at a time; with `text` null the mark that all before it is void. */
export function openChunkWriter(database: Pick<Database, 'storeUnsynced'>) {
  const write = createStreamChunkWriter(database);
  return ({ text, ...place }: Omit<ChunkPlace, 'heldBy'> & { text: string | null; heldBy?: string }) =>
    write({ heldBy: null, ...place }, () => text, 0);
}
