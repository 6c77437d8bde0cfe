import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type RefObject } from 'react';
import { holdfast } from '../../api/client.ts';
import { TurnView } from '../../live/turn-view.tsx';
import { useConversation } from '../../live/use-followed.ts';
import { Problem } from '../../ui/problem.tsx';
import { Composer, type Sending } from './composer.tsx';
import { useDraft } from './drafts.ts';
import styles from './playground.module.css';
import { TurnActions } from './turn-actions.tsx';

interface ConversationPanelProps {
  agentId: string;
  /** Null for one that begins with the first message. */
  conversationId: string | null;
  onConversation: (id: string) => void;
  /** @default 'Conversation' */
  label?: string;
}

/** A conversation with its live turns, and the field for the next message. */
export function ConversationPanel(props: ConversationPanelProps) {
  const { agentId, conversationId, label = 'Conversation' } = props;
  const { log, stream, error } = useConversation(conversationId);
  const [draft, setDraft] = useDraft(conversationId ?? agentId);
  const running = log.turns.find(({ status }) => status === 'running' || status === 'waiting_for_approval');
  const send = useSend(props);
  const end = useRef<HTMLDivElement>(null);
  useStayAtEnd(end, log.turns);
  return (
    <section className={styles.conversation} aria-label={label}>
      <div className={styles.turns}>
        {log.turns.length === 0 && (
          <p className={styles.hint}>Write a message. What the agent does shows here as it happens.</p>
        )}
        {log.turns.map((turn) => (
          <div key={turn.id} className={styles.turn}>
            <TurnView
              turn={turn}
              actions={
                conversationId !== null && (
                  <TurnActions turn={turn} agentId={agentId} conversationId={conversationId} />
                )
              }
            />
          </div>
        ))}
        <div ref={end} />
      </div>
      <div className={styles.foot}>
        {stream === 'lost' && (
          <p role="status">The connection was lost. The turn continues, and this page reconnects.</p>
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
