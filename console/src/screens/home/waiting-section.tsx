import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { holdfast } from '../../api/client.ts';
import type { InboxMessage, PendingAction } from '../../api/types.ts';
import { useIdentity, useMay } from '../../app/session.tsx';
import { pendingActionsQuery } from '../../live/actions/pending-actions.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import type { Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './home.module.css';
import { Moment } from './moment.tsx';
import { unreadQuery } from './queries.ts';

/** The actions that are listed. */
const mostActions = 6;

/** What waits for the person: actions that a turn waits for, and messages of agents that are not read. */
export function WaitingSection({ hidesNothing }: { hidesNothing: boolean }) {
  const may = useMay();
  const { person } = useIdentity();
  const pending = useQuery({ ...pendingActionsQuery, enabled: may('conversations:read') });
  // A key that acts for no person has no inbox.
  const unread = useQuery({ ...unreadQuery, enabled: may('inbox:read') && person !== null });
  const actions = pending.data?.actions ?? [];
  const messages = unread.data?.items ?? [];
  const isNothing = actions.length === 0 && messages.length === 0;
  if (isNothing && hidesNothing && !pending.error && !unread.error) return null;
  return (
    <Section
      title="Waits for you"
      actions={
        actions.length > mostActions && (
          <Link to="/approvals">All {formatCount(actions.length)} that wait</Link>
        )
      }
    >
      <Problem error={pending.error ?? unread.error} />
      {actions.length > 0 && <Actions actions={actions.slice(0, mostActions)} />}
      {messages.length > 0 && <Messages messages={messages} />}
      {isNothing && pending.isSuccess && <p className={styles.quiet}>Nothing waits for you.</p>}
    </Section>
  );
}

function Actions({ actions }: { actions: readonly PendingAction[] }) {
  const columns: Column<PendingAction>[] = [
    {
      name: 'Decision',
      width: '',
      cell: ({ id, kind, tool, target, question }) => (
        <Link to="/approvals" search={{ tab: 'waiting', action: id }} className={styles.text}>
          {kind === 'question' ? (question ?? 'A question') : <code>{target ?? tool}</code>}
        </Link>
      ),
    },
    { name: 'Because', width: '', isWide: true, cell: ({ askedBecause }) => askedBecause.join(', ') },
    {
      name: 'Asked by',
      width: '',
      isWide: true,
      cell: ({ askedBy }) => askedBy.flatMap(({ actingFor }) => actingFor ?? []).join(', '),
    },
    { name: 'Expires', width: '', isNumber: true, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  ];
  return <Table label="Decisions" items={actions} toKey={({ id }) => id} columns={columns} />;
}

function Messages({ messages }: { messages: readonly InboxMessage[] }) {
  const may = useMay();
  const queries = useQueryClient();
  const read = useMutation({
    mutationFn: (id: string) => holdfast.inbox.update(id, { read: true }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['inbox'] }),
  });
  const columns: Column<InboxMessage>[] = [
    {
      name: 'Message',
      width: '',
      cell: (message) => (
        <Message message={message}>
          {may('inbox:write') && (
            <Button kind="plain" onPress={() => read.mutate(message.id)}>
              Mark as read
            </Button>
          )}
        </Message>
      ),
    },
    { name: 'Sent', width: '', isNumber: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
  return (
    <>
      <Table label="Messages of agents" items={messages} toKey={({ id }) => id} columns={columns} />
      <Problem error={read.error} />
    </>
  );
}

interface MessageProps {
  message: InboxMessage;
  /** What can be done with it. */
  children: ReactNode;
}

function Message({ message: { subject, text, from }, children }: MessageProps) {
  const may = useMay();
  return (
    <>
      <p className={styles.message}>
        <span className={styles.quiet}>{from.agentName}: </span>
        {subject !== null && <strong>{subject} </strong>}
        {text}
      </p>
      <p className={styles.links}>
        {may('conversations:read') && (
          <Link to="/runs/$turnId" params={{ turnId: from.turnId }} search={{ view: 'conversation' }}>
            Open the run
          </Link>
        )}
        {children}
      </p>
    </>
  );
}
