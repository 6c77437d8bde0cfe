import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';
import { holdfast } from '../../api/client.ts';
import type { TurnLog } from '../../live/conversation-log.ts';
import { toSpans } from '../../live/spans.ts';
import { TurnView } from '../../live/turn-view.tsx';
import { useConversation } from '../../live/use-followed.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Strip } from '../../ui/strip.tsx';
import { useNow } from '../../ui/time.tsx';
import { Composer, type Sending } from './composer.tsx';
import { keepDraft, useDraft } from './drafts.ts';
import styles from './playground.module.css';

interface ConversationPanelProps {
  agentId: string;
  /** Null for one that begins with the first message. */
  conversationId: string | null;
  onConversation: (id: string) => void;
}

/** A conversation with its live turns, and the field for the next message. */
export function ConversationPanel({ agentId, conversationId, onConversation }: ConversationPanelProps) {
  const { log, stream, error } = useConversation(conversationId);
  const [draft, setDraft] = useDraft(conversationId ?? agentId);
  const running = log.turns.find(({ status }) => status === 'running' || status === 'waiting_for_approval');
  const send = useSend({ agentId, conversationId, onConversation });
  const end = useRef<HTMLDivElement>(null);
  useStayAtEnd(end, log.turns);
  return (
    <section className={styles.conversation} aria-label="Conversation">
      <div className={styles.turns}>
        {log.turns.length === 0 && (
          <p className={styles.hint}>Write a message. What the agent does shows here as it happens.</p>
        )}
        {log.turns.map((turn) => (
          <div key={turn.id} className={styles.turn}>
            <TurnView turn={turn} actions={<TurnActions turn={turn} conversationId={conversationId} />} />
          </div>
        ))}
        <div ref={end} />
      </div>
      <div className={styles.foot}>
        {stream === 'lost' && (
          <p role="status">The connection was lost. Holdfast goes on; this page follows as soon as it can.</p>
        )}
        <Problem error={send.error ?? error} />
        <Composer
          draft={draft}
          onDraft={setDraft}
          runningTurnId={running?.id ?? null}
          isSending={send.isPending}
          onSend={(sending) => {
            setDraft('');
            return send.mutateAsync(sending).catch((failed: unknown) => {
              // The person may have begun another one meanwhile.
              setDraft((draft) => (draft === '' ? sending.text : draft));
              throw failed;
            });
          }}
        />
      </div>
    </section>
  );
}

function useSend({ agentId, conversationId, onConversation }: ConversationPanelProps) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ text, files, onBusy }: Sending) => {
      const id = conversationId ?? (await holdfast.conversations.create({ agentId })).id;
      const parts = files.map(({ id: fileId, mediaType }) =>
        mediaType.startsWith('image/')
          ? { type: 'image' as const, fileId }
          : { type: 'file' as const, fileId },
      );
      const message = parts.length === 0 ? text : [{ type: 'text' as const, text }, ...parts];
      await holdfast.turns.start({ conversationId: id, message, ...(onBusy === null ? {} : { onBusy }) });
      return id;
    },
    onSuccess: (id) => {
      if (id === conversationId) return;
      onConversation(id);
      void queries.invalidateQueries({ queryKey: ['conversations'] });
    },
  });
}

/** Keeps the end in sight while something is added to it, unless the reader has scrolled up. */
function useStayAtEnd(end: RefObject<HTMLElement | null>, content: unknown): void {
  useEffect(() => {
    const scroller = end.current?.parentElement;
    if (!scroller) return;
    const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    if (below < 240) end.current?.scrollIntoView({ block: 'end' });
  }, [end, content]);
}

interface TurnActionsProps {
  turn: TurnLog;
  conversationId: string | null;
}

/** The line below a turn: what it did as a strip, and what can be done with it. */
function TurnActions({ turn, conversationId }: TurnActionsProps) {
  const navigate = useNavigate();
  const now = useNow(1_000);
  const fork = useMutation({
    mutationFn: () => holdfast.conversations.fork(conversationId ?? '', { turnId: turn.id, run: false }),
    onSuccess: ({ conversation }) => {
      keepDraft(conversation.id, turn.message);
      void navigate({ to: '/playground', search: { conversation: conversation.id } });
    },
  });
  return (
    <div className={styles.actions}>
      <Link
        to="/runs/$turnId"
        params={{ turnId: turn.id }}
        className={styles.strip}
        aria-label="Open this run"
      >
        <Strip spans={toSpans(turn, now)} />
      </Link>
      {turn.settledAt !== null && turn.status !== 'steered' && (
        <Button kind="plain" isPending={fork.isPending} onPress={() => fork.mutate()}>
          Fork from here
        </Button>
      )}
      <Problem error={fork.error} />
    </div>
  );
}
