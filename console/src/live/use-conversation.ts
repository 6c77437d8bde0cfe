import { useEffect, useState } from 'react';
import { holdfast } from '../api/client.ts';
import type { ReceivedEvent } from '../api/types.ts';
import { appendEvents, emptyLog, type ConversationLog } from './conversation-log.ts';
import { createFrameBatch } from './frame-batch.ts';

/** How the stream of a page is: it opens, is open, is opened again after it was lost, or was given up. */
export type StreamState = 'opening' | 'open' | 'lost' | { failed: unknown };

interface Conversation {
  log: ConversationLog;
  stream: StreamState;
}

const opening: Conversation = { log: emptyLog, stream: 'opening' };

/**
 * Follows a conversation from its first event as long as the component is shown: what happens is in the log within the next
 * frame of the browser. The stream is opened again after interruptions, and nothing is missing or there twice.
 */
export function useConversation(conversationId: string | null): Conversation {
  const [conversation, setConversation] = useState(opening);
  useEffect(() => {
    setConversation(opening);
    if (conversationId === null) return;
    const closing = new AbortController();
    const show = (change: Partial<Conversation>) => {
      if (!closing.signal.aborted) setConversation((before) => ({ ...before, ...change }));
    };
    const batch = createFrameBatch<ReceivedEvent>((events) =>
      setConversation(({ log, stream }) => ({ log: appendEvents(log, events), stream })),
    );
    const follow = async () => {
      const events = holdfast.turns.stream(
        { conversationId },
        {
          signal: closing.signal,
          onOpen: () => show({ stream: 'open' }),
          onReconnect: () => show({ stream: 'lost' }),
        },
      );
      for await (const event of events) batch.add(event);
    };
    follow().catch((failed: unknown) => show({ stream: { failed } }));
    return () => {
      closing.abort();
      batch.stop();
    };
  }, [conversationId]);
  return conversation;
}
