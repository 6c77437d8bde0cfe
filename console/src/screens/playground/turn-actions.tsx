import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import { useMay } from '../../app/session.tsx';
import type { TurnLog } from '../../live/conversation-log.ts';
import { toSpans } from '../../live/spans.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Strip } from '../../live/strip.tsx';
import { useNow } from '../../ui/time.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { keepDraft } from './drafts.ts';
import styles from './playground.module.css';

interface TurnActionsProps {
  turn: TurnLog;
  agentId: string;
  conversationId: string;
}

/** The line below a turn: what it did as a strip, and what can be done with it. */
export function TurnActions({ turn, agentId, conversationId }: TurnActionsProps) {
  const now = useNow(1_000);
  const canFork = turn.settledAt !== null && turn.status !== 'steered';
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
      {canFork && <Forking turn={turn} agentId={agentId} conversationId={conversationId} />}
    </div>
  );
}

function Forking({ turn, agentId, conversationId }: TurnActionsProps) {
  const may = useMay();
  const navigate = useNavigate();
  const [compares, setCompares] = useState(false);
  const fork = useMutation({
    mutationFn: () => holdfast.conversations.fork(conversationId, { turnId: turn.id, run: false }),
    onSuccess: ({ conversation }) => {
      keepDraft(conversation.id, turn.message);
      void navigate({ to: '/playground', search: { conversation: conversation.id } });
    },
  });
  return (
    <>
      <Button kind="plain" isPending={fork.isPending} onPress={() => fork.mutate()}>
        Fork from here
      </Button>
      {may('agents:read') && (
        <Button kind="plain" onPress={() => setCompares(true)}>
          Compare …
        </Button>
      )}
      {compares && (
        <CompareDialog
          turnId={turn.id}
          agentId={agentId}
          conversationId={conversationId}
          onClose={() => setCompares(false)}
        />
      )}
      <Problem error={fork.error} />
    </>
  );
}
