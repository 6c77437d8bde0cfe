import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ScheduleRun } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { formatDateTime, formatDuration } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { toWords } from '../../ui/tone.ts';
import { runsQuery } from './queries.ts';

/** The runs of a schedule of the last 90 days, newest first. */
export function RunsTable({ scheduleId }: { scheduleId: string }) {
  const runs = useInfiniteQuery(runsQuery(scheduleId));
  return (
    <>
      <Problem error={runs.error} />
      <Table
        label="Runs of the schedule"
        items={runs.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        empty="It has not run in the last 90 days."
        columns={[
          { name: 'State', width: '', cell: ({ status }) => <Status status={status} /> },
          { name: 'For', width: '', cell: ({ scheduledAt }) => formatDateTime(scheduledAt) },
          { name: 'Started', width: '', cell: (run) => <StartedLink run={run} /> },
          {
            name: 'Outcome',
            width: '',
            cell: ({ outcome, error }) => error?.message ?? (outcome === null ? '' : toWords(outcome)),
          },
          { name: 'Took', width: '', isNumber: true, isWide: true, cell: toDuration },
        ]}
      />
      {runs.hasNextPage && (
        <div>
          <Button isPending={runs.isFetching} onPress={() => void runs.fetchNextPage()}>
            Show older runs
          </Button>
        </div>
      )}
    </>
  );
}

/** What a run has started. */
function StartedLink({ run: { turnId, routineRunId, replayId } }: { run: ScheduleRun }) {
  if (routineRunId !== null)
    return (
      <Link to="/routine-runs/$runId" params={{ runId: routineRunId }}>
        a run of the routine
      </Link>
    );
  if (turnId !== null)
    return (
      <Link to="/runs/$turnId" params={{ turnId }}>
        a turn
      </Link>
    );
  return replayId === null ? 'nothing' : <Link to={`/replays/${replayId}`}>a replay</Link>;
}

function toDuration({ startedAt, endedAt }: ScheduleRun): string {
  return endedAt === null ? '' : formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
}
