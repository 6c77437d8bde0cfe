import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ScheduleDetails } from '../../api/types.ts';
import { useParameter, useSearchOf } from '../../app/address.ts';
import { formatDateTime } from '../../ui/format.ts';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section, Sections } from '../../ui/section.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { describeTimes } from './describe-times.ts';
import { scheduleQuery } from './queries.ts';
import { useMaySchedule } from './rights.ts';
import { RunsTable } from './runs-table.tsx';
import { ScheduleActions } from './schedule-actions.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import styles from './schedules.module.css';
import { Started, ScheduleStatus } from './schedules-page.tsx';
import { parseScheduleSearch, scheduleViews } from './search.ts';

const viewNames = { runs: 'Runs', settings: 'Settings' };

/** One schedule: when it runs next, its runs, and its settings. */
export function Page() {
  const { view } = useSearchOf(parseScheduleSearch);
  const { data: schedule, error } = useQuery(scheduleQuery(useParameter('scheduleId')));
  const canChange = useMaySchedule()(schedule?.action.kind ?? 'turn');
  const shown = canChange ? view : 'runs';
  return (
    <Frame
      title={schedule?.name ?? 'Schedule'}
      meta={schedule && <Meta schedule={schedule} />}
      actions={schedule && canChange ? <ScheduleActions schedule={schedule} /> : undefined}
      bar={
        canChange ? (
          <Tabs
            label="Views"
            name="view"
            value={view}
            tabs={scheduleViews.map((value) => ({ value, text: viewNames[value] }))}
          />
        ) : undefined
      }
    >
      <Problem error={error} />
      {schedule && shown === 'runs' && <Runs schedule={schedule} />}
      {schedule && shown === 'settings' && <Settings schedule={schedule} />}
    </Frame>
  );
}

function Meta({ schedule }: { schedule: ScheduleDetails }) {
  const { createdBy, changedBy } = schedule;
  const person = createdBy.actingFor ?? changedBy?.actingFor;
  return (
    <>
      <ScheduleStatus schedule={schedule} />
      <span>{describeTimes(schedule)}</span>
      <span>
        <Started schedule={schedule} />
      </span>
      {typeof person === 'string' && <span>for {person}</span>}
    </>
  );
}

function Runs({ schedule }: { schedule: ScheduleDetails }) {
  const { nextRuns, paused, stoppedAt, stoppedReason } = schedule;
  return (
    <Sections>
      {stoppedAt !== null && (
        <p className={styles.stopped}>
          Stopped <Time at={stoppedAt} />: {stoppedReason} It starts again after any change by somebody with
          the rights.
        </p>
      )}
      <Section title="Next">
        {paused && <p className={styles.quiet}>It is paused: no run starts at its time.</p>}
        {!paused && nextRuns === null && (
          <p className={styles.quiet}>The times are not known: Temporal did not answer in time.</p>
        )}
        {!paused && nextRuns?.length === 0 && <p className={styles.quiet}>It has no further time.</p>}
        {!paused && (
          <ol className={styles.next}>
            {nextRuns?.slice(0, 5).map((time) => (
              <li key={time}>
                {formatDateTime(time)}, <Time at={time} />
              </li>
            ))}
          </ol>
        )}
      </Section>
      <Section title="Runs">
        <RunsTable scheduleId={schedule.id} />
      </Section>
    </Sections>
  );
}

function Settings({ schedule }: { schedule: ScheduleDetails }) {
  const navigate = useNavigate();
  return (
    <Sections>
      <ScheduleForm
        key={schedule.updatedAt}
        schedule={schedule}
        onSaved={() => void navigate({ to: '.', search: { view: 'runs' } })}
      />
    </Sections>
  );
}
