import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import type { JsonValue } from '../../api/types.ts';
import { useParameter, useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames } from '../../live/names.ts';
import { Copy } from '../../ui/copy.tsx';
import { formatDuration } from '../../ui/format.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { callsQuery, routineQuery, runQuery, type Routine, type Run } from './queries.ts';
import styles from './routines.module.css';
import { RunActions } from './run-actions.tsx';
import { RunDiagram } from './run-diagram.tsx';
import { parseRunSearch, runViews, type RunSearch } from './search.ts';

const StepsList = lazy(() => import('./steps-list.tsx').then((module) => ({ default: module.StepsList })));

const viewNames = { diagram: 'Diagram', steps: 'Steps', raw: 'Raw' };

/** How often a run that has not ended is read, in milliseconds. */
const pollMs = 1_000;

/** One run of a routine: how far it has come, what it waits for, and what each step returned. */
export function Page() {
  const runId = useParameter('runId');
  const { view, step } = useSearchOf(parseRunSearch);
  const { data: run, error } = useQuery({
    ...runQuery(runId),
    refetchInterval: ({ state }) => (state.data && state.data.settledAt === null ? pollMs : false),
  });
  const { data: routine } = useQuery({
    ...routineQuery(run?.routineId ?? ''),
    enabled: run !== undefined,
  });
  return (
    <Frame
      title={run ? `Run of ${run.routineName}` : 'Run'}
      fills={view !== 'raw'}
      meta={run && <Meta run={run} routine={routine} />}
      actions={run && <RunActions run={run} routine={routine} />}
      bar={
        <Tabs
          label="Views"
          name="view"
          value={view}
          tabs={runViews.map((value) => ({ value, text: viewNames[value] }))}
        />
      }
    >
      <Problem error={error} />
      {run && <View run={run} routine={routine} view={view} step={step} />}
    </Frame>
  );
}

interface ViewProps {
  run: Run;
  routine: Routine | undefined;
  view: RunSearch['view'];
  step: number | undefined;
}

function View({ run, routine, view, step }: ViewProps) {
  const calls = useCalls(run);
  if (view === 'diagram') return <RunDiagram run={run} routine={routine} calls={calls} step={step} />;
  if (view === 'raw') return <Raw run={run} />;
  return (
    <Suspense fallback={null}>
      <StepsList run={run} />
    </Suspense>
  );
}

/** The turn of the run with its tool calls, for who may read it; it is read again with each step. */
function useCalls(run: Run) {
  const queries = useQueryClient();
  const { data } = useQuery({ ...callsQuery(run.id), enabled: useMay()('conversations:read') });
  const state = run.steps.map((one) => `${one.number} ${one.state}`).join();
  useEffect(
    () => void queries.invalidateQueries({ queryKey: callsQuery(run.id).queryKey }),
    [queries, run.id, state],
  );
  return data;
}

function Raw({ run }: { run: Run }) {
  const text = useMemo(() => JSON.stringify(run, null, 2), [run]);
  return (
    <div className={styles.reading}>
      <Copy text={text}>Copy all as JSON</Copy>
      <JsonView value={JSON.parse(text) as JsonValue} />
    </div>
  );
}

function Meta({ run, routine }: { run: Run; routine: Routine | undefined }) {
  const names = useAgentNames();
  const { startedBy, createdAt, settledAt, parentRunId, callerTurnId, agentId, version } = run;
  const agent = names?.get(agentId);
  return (
    <>
      <Status status={run.stuck ? 'stuck' : run.status} />
      <Link to="/routines/$routineId" params={{ routineId: run.routineId }}>
        version {version}
        {routine && routine.version !== version && ` of ${routine.version}`}
      </Link>
      {agent !== undefined && <span>as {agent}</span>}
      {typeof startedBy?.actingFor === 'string' && <span>{startedBy.actingFor}</span>}
      <span>
        <Time at={createdAt} />
      </span>
      {settledAt !== null && <span>{formatDuration(Date.parse(settledAt) - Date.parse(createdAt))}</span>}
      {parentRunId !== null && (
        <Link to="/routine-runs/$runId" params={{ runId: parentRunId }}>
          the run that started it
        </Link>
      )}
      {callerTurnId !== null && (
        <Link to="/runs/$turnId" params={{ turnId: callerTurnId }}>
          the turn that started it
        </Link>
      )}
      {run.stuck && <span>{run.stuck.cause}</span>}
    </>
  );
}
