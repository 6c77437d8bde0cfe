import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import { useIdentity, useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import type { Routine, Run } from './queries.ts';
import styles from './routines.module.css';
import { StartRun } from './start-run.tsx';

/** What can be done with a run: pause, resume and stop it, or start another one with its input. */
export function RunActions({ run, routine }: { run: Run; routine: Routine | undefined }) {
  return (
    <>
      <Copy text={run.id}>Copy the id</Copy>
      {run.temporalUrl !== null && (
        <a href={run.temporalUrl} target="_blank" rel="noreferrer" className={styles.link}>
          Open in Temporal
        </a>
      )}
      {useMayControl(run) && <Control run={run} />}
      {routine && run.settledAt !== null && <StartRun routine={routine} input={run.input} />}
    </>
  );
}

/** A person without the reach of the workspace controls only runs that act for this person. */
function useMayControl({ settledAt, startedBy }: Run): boolean {
  const may = useMay();
  const { person, reach } = useIdentity();
  const isOwn = reach === 'workspace' || startedBy?.actingFor === person;
  return settledAt === null && may('routines:write') && isOwn;
}

function Control({ run }: { run: Run }) {
  const queries = useQueryClient();
  const [isStopping, setStopping] = useState(false);
  const control = useMutation({
    mutationFn: (command: 'pause' | 'resume' | 'graceful' | 'now') => {
      if (command === 'pause' || command === 'resume') return holdfast.routineRuns[command](run.id);
      return holdfast.routineRuns.stop(run.id, { mode: command });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['routine-runs'] }),
  });
  const stop = (mode: 'graceful' | 'now') => {
    setStopping(false);
    control.mutate(mode);
  };
  const isPaused = run.status === 'paused';
  return (
    <>
      <Problem error={control.error} />
      {!run.stuck && (
        <Button isPending={control.isPending} onPress={() => control.mutate(isPaused ? 'resume' : 'pause')}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      )}
      <Button kind="bad" isPending={control.isPending} onPress={() => setStopping(true)}>
        Stop …
      </Button>
      <Dialog
        title="Stop this run?"
        isOpen={isStopping}
        onClose={() => setStopping(false)}
        actions={
          <>
            <Button onPress={() => setStopping(false)}>Keep it</Button>
            <Button kind="bad" onPress={() => stop('now')}>
              Stop now
            </Button>
            <Button kind="bad" onPress={() => stop('graceful')}>
              Let calls end
            </Button>
          </>
        }
      >
        <p>
          Calls that run come to their end, or are stopped at once. What waits for a person, a time or an
          event ends in both cases, and so do the runs that this one has started.
        </p>
      </Dialog>
    </>
  );
}
