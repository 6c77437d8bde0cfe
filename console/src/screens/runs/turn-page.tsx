import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { holdfast } from '../../api/client.ts';
import type { JsonValue, GetTurnResponse } from '../../api/types.ts';
import { useParameter, useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import type { TurnLog } from '../../live/conversation-log.ts';
import { useAgentNames } from '../../live/names.ts';
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
import { modelCallsQuery, turnQuery } from './queries.ts';
import { parseTurnSearch, turnViews, type TurnSearch } from './search.ts';
import { Timeline } from './timeline.tsx';
import { Tree } from './tree.tsx';
import styles from './turn-page.module.css';

const viewNames = { timeline: 'Timeline', tree: 'Tree', conversation: 'As a conversation', raw: 'Raw' };

/** One turn: what it did and when, what it said, and everything that is stored about it. */
export function Page() {
  const turnId = useParameter('turnId');
  const { view, step } = useSearchOf(parseTurnSearch);
  const followed = useTurn(turnId);
  const details = useQuery(turnQuery(turnId));
  useFreshDetails(turnId, followed.turn);
  const message = followed.turn?.message ?? '';
  return (
    <Frame
      title={message || 'Run'}
      documentTitle={`${message.slice(0, 40)} run`}
      fills={view === 'timeline'}
      meta={details.data && <Meta turn={details.data} />}
      actions={details.data && <Actions turn={details.data} />}
      bar={
        <Tabs
          label="Views"
          name="view"
          value={view}
          tabs={turnViews.map((value) => ({ value, text: viewNames[value] }))}
        />
      }
    >
      <Problem error={followed.error ?? details.error} />
      <View view={view} followed={followed} details={details.data} step={step} />
    </Frame>
  );
}

/** Reads the stored turn again when its events say that a step or the turn has ended: it has what events leave out. */
function useFreshDetails(turnId: string, turn: TurnLog | null): void {
  const queries = useQueryClient();
  const steps = turn?.steps.length;
  const status = turn?.status;
  useEffect(() => {
    if (steps === undefined) return;
    void queries.invalidateQueries({ queryKey: turnQuery(turnId).queryKey });
    void queries.invalidateQueries({ queryKey: modelCallsQuery(turnId).queryKey });
  }, [queries, turnId, steps, status]);
}

interface ViewProps {
  view: TurnSearch['view'];
  followed: ReturnType<typeof useTurn>;
  details: GetTurnResponse | undefined;
  step: string | undefined;
}

function View({ view, followed: { turn, events }, details, step }: ViewProps) {
  if (!turn) return null;
  if (view === 'timeline') return <Timeline turn={turn} details={details} chosen={step} />;
  return (
    <div className={styles.reading}>
      {view === 'tree' && <Tree turn={turn} calls={details?.toolCalls ?? []} />}
      {view === 'conversation' && <TurnView turn={turn} />}
      {view === 'raw' && <Raw value={{ turn: details ?? null, events }} />}
    </div>
  );
}

function Raw({ value }: { value: object }) {
  const text = useMemo(() => JSON.stringify(value, null, 2), [value]);
  return (
    <>
      <Copy text={text}>Copy all as JSON</Copy>
      <JsonView value={JSON.parse(text) as JsonValue} />
    </>
  );
}

function Meta({ turn }: { turn: GetTurnResponse }) {
  const names = useAgentNames();
  const { inputTokens, outputTokens } = turn.usage;
  const took = turn.settledAt && Date.parse(turn.settledAt) - Date.parse(turn.startedAt ?? turn.createdAt);
  return (
    <>
      <Status status={turn.stuck ? 'stuck' : turn.status} />
      {names?.has(turn.agentId) === true && <span>{names.get(turn.agentId)}</span>}
      {typeof turn.startedBy?.actingFor === 'string' && <span>{turn.startedBy.actingFor}</span>}
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

function Actions({ turn }: { turn: GetTurnResponse }) {
  const may = useMay();
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => holdfast.turns.cancel(turn.id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['turns'] }),
  });
  return (
    <>
      <Copy text={turn.id}>Copy the id</Copy>
      {turn.temporalUrl !== null && (
        <a href={turn.temporalUrl} target="_blank" rel="noreferrer" className={styles.link}>
          Open in Temporal
        </a>
      )}
      {may('replays:write') && turn.outcome !== null && (
        <Link to="/replays/new" search={{ turnIds: turn.id }} className={styles.link}>
          Replay
        </Link>
      )}
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
