import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { holdfast } from '../../api/client.ts';
import type { Replay } from '../../api/types.ts';
import { replayQuery } from './queries.ts';

/** Keeps a replay up to date as it runs, until it has ended. */
export function useProgress(replay: Replay | undefined): void {
  const queries = useQueryClient();
  const id = replay?.id;
  const isOpen = replay?.settledAt === null;
  useEffect(() => {
    if (id === undefined || !isOpen) return;
    const closing = new AbortController();
    void follow(id, closing.signal).catch((error: unknown) => {
      if (!closing.signal.aborted) console.info('The replay is not followed.', error);
    });
    return () => closing.abort();

    async function follow(replayId: string, signal: AbortSignal): Promise<void> {
      for await (const { status, cases, runs, spent } of holdfast.replays.follow(replayId, { signal }))
        queries.setQueryData(replayQuery(replayId).queryKey, (before) =>
          before ? { ...before, status, cases, runs, spent } : before,
        );
      await queries.invalidateQueries({ queryKey: replayQuery(replayId).queryKey });
    }
  }, [queries, id, isOpen]);
}
