import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { holdfast } from '../../api/client.ts';
import { forgetDeleted } from '../../api/query-client.ts';
import { useParameter, useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames } from '../../live/names.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Sections } from '../../ui/section.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { Diagram } from './diagram.tsx';
import { routineQuery, type Routine } from './queries.ts';
import { RoutineForm } from './routine-form.tsx';
import styles from './routines.module.css';
import { RunsList } from './runs-list.tsx';
import { parseRoutineSearch, routineViews } from './search.ts';
import { StartRun } from './start-run.tsx';
import { toTaskTree } from './task-tree.ts';

const viewNames = { diagram: 'Diagram', document: 'Document', runs: 'Runs' };

/** One routine: its tasks, its document, and its runs. */
export function Page() {
  const { view } = useSearchOf(parseRoutineSearch);
  const { data: routine, error } = useQuery(routineQuery(useParameter('routineId')));
  return (
    <Frame
      title={routine?.name ?? 'Routine'}
      fills={view === 'runs'}
      meta={routine && <Meta routine={routine} />}
      actions={routine && <Actions routine={routine} />}
      bar={
        <Tabs
          label="Views"
          name="view"
          value={view}
          tabs={routineViews.map((value) => ({ value, text: viewNames[value] }))}
        />
      }
    >
      <Problem error={error} />
      {routine && view === 'diagram' && <Tasks routine={routine} />}
      {routine && view === 'document' && <Document key={routine.version} routine={routine} />}
      {routine && view === 'runs' && (
        <RunsList routineId={routine.id} action={<StartRun routine={routine} />} />
      )}
    </Frame>
  );
}

function Tasks({ routine: { document, summary } }: { routine: Routine }) {
  const tasks = useMemo(() => toTaskTree(document), [document]);
  return (
    <div className={styles.reading}>
      {summary !== null && <p className={styles.summary}>{summary}</p>}
      <Diagram tasks={tasks} />
    </div>
  );
}

function Document({ routine }: { routine: Routine }) {
  const navigate = useNavigate();
  const { id } = routine;
  return (
    <Sections>
      <RoutineForm
        routine={routine}
        onSaved={() =>
          void navigate({
            to: '/routines/$routineId',
            params: { routineId: id },
            search: { view: 'diagram' },
          })
        }
      />
    </Sections>
  );
}

function Meta({ routine }: { routine: Routine }) {
  const { namespace, title, version, documentVersion, agentId, owner, updatedAt } = routine;
  const names = useAgentNames();
  const agent = agentId === null ? 'the agent that starts it' : names?.get(agentId);
  return (
    <>
      <span>{namespace}</span>
      {title !== null && <span>{title}</span>}
      {agent !== undefined && <span>acts as {agent}</span>}
      <span>
        version {version} ({documentVersion})
      </span>
      {typeof owner?.person === 'string' && <span>{owner.person}</span>}
      <span>
        changed <Time at={updatedAt} />
      </span>
    </>
  );
}

function Actions({ routine }: { routine: Routine }) {
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => holdfast.routines.delete(routine.id),
    onSuccess: async () => {
      await navigate({ to: '/routines' });
      await forgetDeleted(routine.id, ['routines']);
    },
  });
  if (!useMay()('routines:write')) return null;
  return (
    <>
      <Problem error={remove.error} />
      <StartRun routine={routine} />
      <ConfirmButton
        title={`Delete ${routine.name}?`}
        text="Its runs that have begun continue. Schedules and triggers that start it fail from then on."
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Delete
      </ConfirmButton>
    </>
  );
}
