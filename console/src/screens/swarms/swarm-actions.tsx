import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import { useIdentity, useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import type { Swarm } from './queries.ts';
import styles from './swarms.module.css';

/** What can be done with a swarm: pause, resume and end it. */
export function SwarmActions({ swarm }: { swarm: Swarm }) {
  return (
    <>
      <Copy text={swarm.id}>Copy the id</Copy>
      {swarm.temporalUrl !== null && (
        <a href={swarm.temporalUrl} target="_blank" rel="noreferrer" className={styles.link}>
          Open in Temporal
        </a>
      )}
      {useMayChange(swarm) && <Control swarm={swarm} />}
    </>
  );
}

/** A person without the reach of the workspace changes only swarms that act for this person. */
export function useMayChange({ settledAt, startedBy }: Swarm): boolean {
  const may = useMay();
  const { person, reach } = useIdentity();
  const isOwn = reach === 'workspace' || startedBy?.actingFor === person;
  return settledAt === null && may('swarms:write') && isOwn;
}

function Control({ swarm: { id, status } }: { swarm: Swarm }) {
  const queries = useQueryClient();
  const [isEnding, setEnding] = useState(false);
  const control = useMutation({
    mutationFn: (command: 'pause' | 'resume') => holdfast.swarms[command](id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['swarms'] }),
  });
  const isPaused = status === 'paused';
  return (
    <>
      <Problem error={control.error} />
      {status !== 'ending' && (
        <Button isPending={control.isPending} onPress={() => control.mutate(isPaused ? 'resume' : 'pause')}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      )}
      <Button kind="bad" onPress={() => setEnding(true)}>
        End …
      </Button>
      <Dialog title="End this swarm?" isOpen={isEnding} onClose={() => setEnding(false)}>
        <EndForm swarmId={id} onDone={() => setEnding(false)} />
      </Dialog>
    </>
  );
}

function EndForm({ swarmId, onDone }: { swarmId: string; onDone: () => void }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const end = useMutation({
    mutationFn: (mode: 'graceful' | 'force') =>
      holdfast.swarms.end(swarmId, { mode, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) }),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: ['swarms'] }),
  });
  return (
    <>
      <p>
        Nothing more begins, in the swarms inside of it neither. Subtasks that run finish, or are stopped at
        once.
      </p>
      <Field label="Reason" value={reason} onChange={setReason} />
      <Problem error={end.error} />
      <div className={styles.buttons}>
        <Button onPress={onDone}>Keep it</Button>
        <Button kind="bad" isPending={end.isPending} onPress={() => end.mutate('force')}>
          Stop at once
        </Button>
        <Button kind="bad" isPending={end.isPending} onPress={() => end.mutate('graceful')}>
          Let subtasks finish
        </Button>
      </div>
    </>
  );
}
