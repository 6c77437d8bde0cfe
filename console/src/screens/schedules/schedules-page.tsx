import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Schedule } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames, useRoutineNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { List, type Column } from '../../ui/list.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { describeTimes } from './describe-times.ts';
import { scheduleQuery, schedulesQuery } from './queries.ts';
import styles from './schedules.module.css';

/** The schedules of the workspace. */
export function Page() {
  const schedules = useInfiniteQuery(schedulesQuery);
  return (
    <Frame title="Schedules" fills actions={useMay()('conversations:write') ? <NewButton /> : undefined}>
      <Problem error={schedules.error} />
      <List
        label="Schedules"
        items={schedules.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        columns={useColumns()}
        loadMore={schedules.hasNextPage ? () => void schedules.fetchNextPage() : undefined}
        isLoading={schedules.isFetching}
        empty={<NoSchedules />}
      />
    </Frame>
  );
}

function NewButton() {
  const navigate = useNavigate();
  return (
    <Button kind="main" onPress={() => void navigate({ to: '/schedules/new' })}>
      New schedule …
    </Button>
  );
}

function NoSchedules() {
  return (
    <Empty
      title="There is no schedule yet"
      text="A schedule asks an agent, runs a routine or replays turns at set times."
      action={useMay()('conversations:write') ? <Link to="/schedules/new">Create one</Link> : undefined}
    />
  );
}

function useColumns(): Column<Schedule>[] {
  return [
    { name: 'State', width: '92px', cell: (schedule) => <ScheduleStatus schedule={schedule} /> },
    {
      name: 'Name',
      width: 'minmax(0, 2fr)',
      cell: ({ id, name }) => (
        <Link to="/schedules/$scheduleId" params={{ scheduleId: id }} className={styles.name}>
          {name}
        </Link>
      ),
    },
    {
      name: 'Starts',
      width: 'minmax(0, 2fr)',
      isWide: true,
      cell: (schedule) => <Started schedule={schedule} />,
    },
    { name: 'When', width: 'minmax(0, 2fr)', isWide: true, cell: describeTimes },
    { name: 'Next', width: '108px', isNumber: true, cell: (schedule) => <NextRun schedule={schedule} /> },
  ];
}

/** Whether a schedule starts something: one that has lost its rights is stopped. */
export function ScheduleStatus({ schedule: { paused, stoppedAt } }: { schedule: Schedule }) {
  return <Status status={stoppedAt !== null ? 'stopped' : paused ? 'paused' : 'active'} />;
}

/** What a schedule starts, in a few words. */
export function Started({ schedule: { action } }: { schedule: Schedule }) {
  const agents = useAgentNames();
  const routines = useRoutineNames();
  if (action.kind === 'routine') return `the routine ${routines?.get(action.routineId) ?? ''}`;
  if (action.kind === 'replay') return `the replay ${action.replay.name}`;
  const { agentId, message } = action;
  const agent = agentId === undefined ? undefined : agents?.get(agentId);
  return agent === undefined ? message : `${agent}: ${message}`;
}

/** The time of the next run; rows out of sight ask for none. */
function NextRun({ schedule: { id, paused, stoppedAt } }: { schedule: Schedule }) {
  const runs = !paused && stoppedAt === null;
  const { data } = useQuery({ ...scheduleQuery(id), enabled: runs });
  const next = runs ? data?.nextRuns?.[0] : undefined;
  return next === undefined ? null : <Time at={next} />;
}
