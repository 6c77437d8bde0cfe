import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { JsonValue } from '../../api/types.ts';
import { useParameter, useSearchOf } from '../../app/address.ts';
import { useAgentNames } from '../../live/names.ts';
import { Copy } from '../../ui/copy.tsx';
import { formatCredits, formatDuration } from '../../ui/format.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { Messages } from './messages.tsx';
import { swarmQuery, type Swarm } from './queries.ts';
import { parseSwarmSearch, swarmViews, type SwarmSearch } from './search.ts';
import { SharedState } from './shared-state.tsx';
import { SwarmActions } from './swarm-actions.tsx';
import styles from './swarms.module.css';
import { Work } from './work.tsx';

const viewNames = { work: 'Subtasks', state: 'Shared state', messages: 'Messages', raw: 'Raw' };

/** How often a swarm that has not ended is read, in milliseconds. */
const pollMs = 2_000;

/** One swarm: its subtasks, its shared state, and what it has used. */
export function Page() {
  const swarmId = useParameter('swarmId');
  const { view, subtask } = useSearchOf(parseSwarmSearch);
  const { data: swarm, error } = useQuery({
    ...swarmQuery(swarmId),
    refetchInterval: ({ state }) => (state.data && state.data.settledAt === null ? pollMs : false),
  });
  return (
    <Frame
      title={swarm?.goal ?? 'Swarm'}
      documentTitle={swarm?.goal.slice(0, 40) ?? 'Swarm'}
      fills={view === 'work'}
      meta={swarm && <Meta swarm={swarm} />}
      actions={swarm && <SwarmActions swarm={swarm} />}
      bar={
        <Tabs
          label="Views"
          name="view"
          value={view}
          tabs={swarmViews.map((value) => ({ value, text: viewNames[value] }))}
        />
      }
    >
      <Problem error={error} />
      {swarm && <View swarm={swarm} view={view} subtask={subtask} />}
    </Frame>
  );
}

interface ViewProps {
  swarm: Swarm;
  view: SwarmSearch['view'];
  subtask: string | undefined;
}

function View({ swarm, view, subtask }: ViewProps) {
  if (view === 'work') return <Work swarm={swarm} chosen={subtask} />;
  if (view === 'state') return <SharedState swarm={swarm} />;
  if (view === 'messages') return <Messages messages={swarm.state.messages} />;
  return <Raw swarm={swarm} />;
}

function Raw({ swarm }: { swarm: Swarm }) {
  const text = useMemo(() => JSON.stringify(swarm, null, 2), [swarm]);
  return (
    <div className={styles.reading}>
      <Copy text={text}>Copy all as JSON</Copy>
      <JsonView value={JSON.parse(text) as JsonValue} />
    </div>
  );
}

function Meta({ swarm }: { swarm: Swarm }) {
  const names = useAgentNames();
  const { status, stuck, leader, startedBy, createdAt, settledAt, creditsUsed } = swarm;
  const leaderName = leader === null ? undefined : names?.get(leader);
  return (
    <>
      <Status status={stuck ? 'stuck' : status} />
      {leaderName !== undefined && <span>led by {leaderName}</span>}
      {typeof startedBy?.actingFor === 'string' && <span>{startedBy.actingFor}</span>}
      <span>
        <Time at={createdAt} />
      </span>
      {settledAt !== null && <span>{formatDuration(Date.parse(settledAt) - Date.parse(createdAt))}</span>}
      <span>{formatCredits(creditsUsed)}</span>
      {swarm.parentSwarmId !== null && (
        <Link to="/swarms/$swarmId" params={{ swarmId: swarm.parentSwarmId }}>
          the swarm that started it
        </Link>
      )}
      {swarm.parentTurnId !== null && (
        <Link to="/runs/$turnId" params={{ turnId: swarm.parentTurnId }}>
          the turn that started it
        </Link>
      )}
      {stuck && <span>{stuck.cause}</span>}
    </>
  );
}
