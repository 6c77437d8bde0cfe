import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import type { Schedule } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form, Section } from '../../ui/section.tsx';
import { ActionFields } from './action-fields.tsx';
import { createDraft, toBody, toDraft, type DraftProps, type ScheduleDraft } from './schedule-draft.ts';
import styles from './schedules.module.css';
import { TimesFields } from './times-fields.tsx';

interface ScheduleFormProps {
  /** Null for a new one. */
  schedule: Schedule | null;
  onSaved: (schedule: Schedule) => void;
}

/** What a schedule starts, and when. */
export function ScheduleForm({ schedule, onSaved }: ScheduleFormProps) {
  const [draft, setDraft] = useState(() =>
    schedule === null ? createDraft(Intl.DateTimeFormat().resolvedOptions().timeZone) : toDraft(schedule),
  );
  const queries = useQueryClient();
  const body = toBody(draft);
  const save = useMutation({
    mutationFn: (request: NonNullable<typeof body>) =>
      schedule === null
        ? holdfast.schedules.create(request)
        : holdfast.schedules.update(schedule.id, request),
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: ['schedules'] });
      onSaved(saved);
    },
  });
  const change = (next: Partial<ScheduleDraft>) => setDraft({ ...draft, ...next });
  return (
    <Form
      onSubmit={() => {
        if (body) save.mutate(body);
      }}
    >
      <div className={styles.form}>
        <Field label="Name" value={draft.name} onChange={(name) => change({ name })} />
        <Section title="What it starts">
          <ActionFields draft={draft} onChange={change} />
        </Section>
        <Section title="When">
          <TimesFields draft={draft} onChange={change} />
        </Section>
        <Section title="When a run is late">
          <LateFields draft={draft} onChange={change} />
        </Section>
        <Problem error={save.error} />
        <Buttons>
          <Button kind="main" type="submit" isPending={save.isPending} isDisabled={!body}>
            {schedule === null ? 'Create' : 'Save'}
          </Button>
        </Buttons>
      </div>
    </Form>
  );
}

const overlaps = [
  { value: 'skip', text: 'Leave the new run out' },
  { value: 'buffer_one', text: 'Begin after it, and leave later ones out' },
  { value: 'buffer_all', text: 'Begin after all before it' },
  { value: 'cancel_other', text: 'Cancel the earlier one' },
  { value: 'allow_all', text: 'Begin beside it' },
] as const;

/** The ways to treat a run that is due while an earlier one is active. */
export function OverlapChoice({
  value,
  onChange,
}: {
  value: Schedule['overlap'];
  onChange: (overlap: Schedule['overlap']) => void;
}) {
  return (
    <Choice label="While an earlier run is active" value={value} options={overlaps} onChange={onChange} />
  );
}

function LateFields({ draft, onChange }: DraftProps) {
  return (
    <>
      <OverlapChoice value={draft.overlap} onChange={(overlap) => onChange({ overlap })} />
      <Field
        label="Begin runs after an outage that are late by at most, in minutes"
        hint="10 by default"
        value={draft.catchUpMinutes}
        onChange={(catchUpMinutes) => onChange({ catchUpMinutes })}
      />
    </>
  );
}
