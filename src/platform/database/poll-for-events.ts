/** Reads the number of the last event of each of these conversations; those that were deleted are left out. */
export type ListLastSeqs = (conversationIds: string[]) => Promise<{ id: string; lastSeq: number }[]>;

interface PollOptions {
  listLastSeqs: ListLastSeqs;
  pollMs?: number;
}

/**
 * Wakes the readers of a conversation when its last event differs from that of the previous poll or it was deleted since,
 * and new readers at their first poll. All conversations together take one query, and none while there is no reader.
 */
export function pollForEvents(
  readers: ReadonlyMap<string, ReadonlySet<() => void>>,
  { listLastSeqs, pollMs = 2_000 }: PollOptions,
): { close: () => Promise<void> } {
  let seen = new Map<string, number>();
  let running: Promise<void> | undefined;

  async function poll(): Promise<void> {
    const rows = await listLastSeqs([...readers.keys()]);
    const found = new Map(rows.map(({ id, lastSeq }) => [id, lastSeq]));
    for (const id of new Set([...seen.keys(), ...found.keys()])) {
      if (seen.get(id) !== found.get(id)) readers.get(id)?.forEach((wake) => wake());
    }
    seen = found;
  }

  const timer = setInterval(() => {
    if (readers.size === 0 || running) return;
    // While the database is unreachable there is nothing to read; the next poll finds what this one did not.
    running = poll()
      .catch(() => undefined)
      .finally(() => (running = undefined));
  }, pollMs).unref();

  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
