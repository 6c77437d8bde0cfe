import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import { forgetDeleted } from '../../api/query-client.ts';
import type { Schedule } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import { OverlapChoice } from './schedule-form.tsx';

/** What can be done with a schedule: run it, pause and resume it, run it for a time that is over, delete it. */
export function ScheduleActions({ schedule: { id, name, paused } }: { schedule: Schedule }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const act = useMutation({
    mutationFn: (verb: 'run' | 'pause' | 'resume') => holdfast.schedules[verb](id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['schedules'] }),
  });
  const remove = useMutation({
    mutationFn: () => holdfast.schedules.delete(id),
    onSuccess: async () => {
      await navigate({ to: '/schedules' });
      await forgetDeleted(id, ['schedules']);
    },
  });
  return (
    <>
      <Problem error={act.error ?? remove.error} />
      <Button kind="main" isPending={act.isPending} onPress={() => act.mutate('run')}>
        Run now
      </Button>
      <Button isPending={act.isPending} onPress={() => act.mutate(paused ? 'resume' : 'pause')}>
        {paused ? 'Resume' : 'Pause'}
      </Button>
      <Backfill scheduleId={id} />
      <ConfirmButton
        title={`Delete ${name}?`}
        text="The list of its runs is deleted too. What it has started continues."
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Delete
      </ConfirmButton>
    </>
  );
}

function Backfill({ scheduleId }: { scheduleId: string }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Backfill …</Button>
      <Dialog title="Run it for a time that is over" isOpen={isOpen} onClose={close}>
        <BackfillForm scheduleId={scheduleId} onDone={close} />
      </Dialog>
    </>
  );
}

function BackfillForm({ scheduleId, onDone }: { scheduleId: string; onDone: () => void }) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [overlap, setOverlap] = useState<Schedule['overlap']>('buffer_all');
  const queries = useQueryClient();
  const backfill = useMutation({
    mutationFn: () => {
      const [start, end] = [new Date(from).toISOString(), new Date(to).toISOString()];
      return holdfast.schedules.backfill(scheduleId, { from: start, to: end, overlap });
    },
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: ['schedules'] }),
  });
  return (
    <Form onSubmit={() => backfill.mutate()}>
      <p>Begins the runs of a span, at most 1,000. A time that has run does not run again.</p>
      <Field label="From" type="datetime-local" value={from} onChange={setFrom} />
      <Field label="To" type="datetime-local" value={to} onChange={setTo} />
      <OverlapChoice value={overlap} onChange={setOverlap} />
      <Problem error={backfill.error} />
      <Buttons>
        <Button
          kind="main"
          type="submit"
          isPending={backfill.isPending}
          isDisabled={from === '' || to === '' || from >= to}
        >
          Begin the runs
        </Button>
      </Buttons>
    </Form>
  );
}
