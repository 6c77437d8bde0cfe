import { useEffect, useState } from 'react';
import { holdfast } from '../api/client.ts';
import type { ReceivedEvent } from '../api/types.ts';
import { appendEvents, emptyLog, type TurnLog } from './conversation-log.ts';
import { createFrameBatch } from './frame-batch.ts';

interface FollowedTurn {
  turn: TurnLog | null;
  events: readonly ReceivedEvent[];
  failed: unknown;
}

/** Follows one turn from its first event until it is settled. */
export function useTurn(turnId: string): FollowedTurn {
  const [state, setState] = useState({
    turnId,
    log: emptyLog,
    events: [] as ReceivedEvent[],
    failed: null as unknown,
  });
  useEffect(() => {
    setState({ turnId, log: emptyLog, events: [], failed: null });
    const closing = new AbortController();
    const batch = createFrameBatch<ReceivedEvent>((events) =>
      setState((before) => ({
        ...before,
        log: appendEvents(before.log, events),
        // Pieces of a text are not kept: the stored answer has them.
        events: [...before.events, ...events.filter((event) => 'seq' in event)],
      })),
    );
    const follow = async () => {
      for await (const event of holdfast.turns.stream(turnId, { signal: closing.signal })) batch.add(event);
    };
    follow().catch((failed: unknown) => {
      if (!closing.signal.aborted) setState((before) => ({ ...before, failed }));
    });
    return () => {
      closing.abort();
      batch.stop();
    };
  }, [turnId]);
  const turn = state.log.turns.find(({ id }) => id === turnId) ?? null;
  return { turn: state.turnId === turnId ? turn : null, events: state.events, failed: state.failed };
}
