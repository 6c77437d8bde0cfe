import { useMemo, useSyncExternalStore } from 'react';
import type { TurnLog } from './conversation-log.ts';
import { createFollower, type Followed } from './follower.ts';

/** Follows a conversation as long as the component is shown; null follows nothing. */
export function useConversation(conversationId: string | null): Followed {
  const follower = useMemo(
    () => createFollower(conversationId === null ? null : { conversationId }),
    [conversationId],
  );
  return useSyncExternalStore(follower.subscribe, follower.getSnapshot);
}

/** Follows a turn until it is settled. The turn is null until its first event is there. */
export function useTurn(turnId: string): Followed & { turn: TurnLog | null } {
  const follower = useMemo(() => createFollower(turnId), [turnId]);
  const followed = useSyncExternalStore(follower.subscribe, follower.getSnapshot);
  return { ...followed, turn: followed.log.turns.find(({ id }) => id === turnId) ?? null };
}
