import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Empty } from '../../ui/empty.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { AgentPanel } from './agent-panel.tsx';
import { ConversationPanel } from './conversation-panel.tsx';
import styles from './playground.module.css';
import { agentsQuery, conversationQuery, conversationsQuery } from './queries.ts';
import { parsePlaygroundSearch, type PlaygroundSearch } from './search.ts';

/** Talk to an agent, and see what it does. */
export function Page() {
  const search = useSearchOf(parsePlaygroundSearch);
  const navigate = useNavigate();
  const show = (next: PlaygroundSearch) => void navigate({ to: '/playground', search: next });
  const conversation = useQuery({
    ...conversationQuery(search.conversation ?? ''),
    enabled: search.conversation !== undefined,
  });
  const agents = useQuery({ ...agentsQuery, enabled: useMay()('agents:read') });
  const known = agents.data?.items ?? [];
  const agentId = conversation.data?.agentId ?? search.agent ?? known[0]?.id;
  if (agents.isSuccess && known.length === 0) return <NoAgents />;
  return (
    <Frame
      title="Playground"
      fills
      bar={<Bar agents={known} agentId={agentId} search={search} show={show} />}
    >
      <Problem error={agents.error ?? conversation.error} />
      {agentId !== undefined && (
        <div className={styles.columns} data-beside={search.beside !== undefined}>
          <ConversationPanel
            key={search.conversation ?? `new ${agentId}`}
            agentId={agentId}
            conversationId={search.conversation ?? null}
            onConversation={(id) => void navigate({ to: '/playground', search: { conversation: id } })}
          />
          {search.beside === undefined ? (
            <AgentPanel agentId={agentId} />
          ) : (
            <ConversationPanel
              key={search.beside}
              label="The fork beside it"
              agentId={agentId}
              conversationId={search.beside}
              onConversation={() => undefined}
            />
          )}
        </div>
      )}
    </Frame>
  );
}

function NoAgents() {
  return (
    <Empty
      title="There is no agent to talk to"
      text="An agent has instructions, a model and tools."
      action={<Link to="/agents">Create one</Link>}
    />
  );
}

interface BarProps {
  agents: readonly { id: string; name: string }[];
  agentId: string | undefined;
  search: PlaygroundSearch;
  show: (search: PlaygroundSearch) => void;
}

function Bar({ agents, agentId, search, show }: BarProps) {
  const { conversation: conversationId, beside } = search;
  const { data: conversations } = useQuery({
    ...conversationsQuery(agentId ?? ''),
    enabled: agentId !== undefined,
  });
  const known = conversations?.items ?? [];
  return (
    <>
      <Choice
        label="Agent"
        value={agentId ?? ''}
        options={agents.map(({ id, name }) => ({ value: id, text: name }))}
        onChange={(agent) => show({ agent })}
      />
      <Choice
        label="Conversation"
        value={conversationId ?? ''}
        options={[
          { value: '', text: 'A new one' },
          ...(conversationId !== undefined && !known.some(({ id }) => id === conversationId)
            ? [{ value: conversationId, text: 'This one' }]
            : []),
          ...known.map(({ id, title, createdAt }) => ({
            value: id,
            text: title ?? formatDateTime(createdAt),
          })),
        ]}
        onChange={(id) =>
          show(id === '' ? { ...(agentId === undefined ? {} : { agent: agentId }) } : { conversation: id })
        }
      />
      {conversationId !== undefined && agentId !== undefined && (
        <Button onPress={() => show({ agent: agentId })}>New conversation</Button>
      )}
      {beside !== undefined && conversationId !== undefined && (
        <Button onPress={() => show({ conversation: conversationId })}>Close the comparison</Button>
      )}
    </>
  );
}
