import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { holdfast } from '../../api/client.ts';
import type { TurnDetails } from '../../api/types.ts';
import { useParameter, useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { TurnView } from '../../live/turn-view.tsx';
import { useTurn } from '../../live/use-followed.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { formatCount, formatCredits, formatDuration } from '../../ui/format.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { agentNamesQuery, turnQuery } from './queries.ts';
import { parseTurnSearch, turnViews } from './search.ts';
import { Timeline } from './timeline.tsx';
import styles from './turn-page.module.css';

const viewNames = { timeline: 'Timeline', conversation: 'As a conversation', raw: 'Raw' };

/** One turn: what it did and when, what it said, and everything that is stored about it. */
export function Page() {
  const turnId = useParameter('turnId');
  const { view, step } = useSearchOf(parseTurnSearch);
  const { turn, events, error } = useTurn(turnId);
  const details = useQuery(turnQuery(turnId));
  const queries = useQueryClient();
  // The stream says when there is something new; the details have what events leave out.
  useEffect(
    () => void queries.invalidateQueries({ queryKey: turnQuery(turnId).queryKey }),
    [queries, turnId, events.length],
  );
  const stored = details.data;
  return (
    <Frame
      title={turn?.message || 'Run'}
      documentTitle={`${turn?.message.slice(0, 40) ?? ''} run`}
      fills={view === 'timeline'}
      meta={stored && <Meta turn={stored} />}
      actions={stored && <Actions turn={stored} />}
      bar={
        <Tabs
          label="Views"
          name="view"
          value={view}
          tabs={turnViews.map((value) => ({ value, text: viewNames[value] }))}
        />
      }
    >
      <Problem error={error ?? details.error} />
      {turn && view === 'timeline' && <Timeline turn={turn} details={stored} chosen={step} />}
      {turn && view === 'conversation' && (
        <div className={styles.reading}>
          <TurnView turn={turn} />
        </div>
      )}
      {view === 'raw' && stored && (
        <div className={styles.reading}>
          <Copy text={JSON.stringify({ turn: stored, events }, null, 2)}>Copy all as JSON</Copy>
          <JsonView
            value={JSON.parse(JSON.stringify({ turn: stored, events })) as object as never}
            open={2}
          />
        </div>
      )}
    </Frame>
  );
}

function Meta({ turn }: { turn: TurnDetails }) {
  const { data: names } = useQuery({ ...agentNamesQuery, enabled: useMay()('agents:read') });
  const { inputTokens, outputTokens } = turn.usage;
  const took = turn.settledAt && Date.parse(turn.settledAt) - Date.parse(turn.startedAt ?? turn.createdAt);
  return (
    <>
      <Status status={turn.stuck ? 'stuck' : turn.status} />
      <span>{names?.get(turn.agentId)}</span>
      <span>{turn.startedBy?.actingFor}</span>
      <span>
        <Time at={turn.createdAt} />
      </span>
      {took !== null && <span>{formatDuration(Number(took))}</span>}
      <span>
        {formatCount(inputTokens)} tokens in, {formatCount(outputTokens)} out
      </span>
      <span>{formatCredits(turn.credits)}</span>
      {turn.parentTurnId !== null && (
        <Link to="/runs/$turnId" params={{ turnId: turn.parentTurnId }}>
          the run that called it
        </Link>
      )}
    </>
  );
}

function Actions({ turn }: { turn: TurnDetails }) {
  const may = useMay();
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => holdfast.turns.cancel(turn.id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['turns'] }),
  });
  return (
    <>
      <Copy text={turn.id}>Copy the id</Copy>
      <Link to="/playground" search={{ conversation: turn.conversationId }} className={styles.link}>
        Open the conversation
      </Link>
      {turn.outcome === null && may('conversations:write') && (
        <Button kind="bad" isPending={cancel.isPending} onPress={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
      <Problem error={cancel.error} />
    </>
  );
}
