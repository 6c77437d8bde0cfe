import { toFieldErrors } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonField } from '../../ui/json-field.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form, Section } from '../../ui/section.tsx';
import { ActionFields } from './action-fields.tsx';
import { useSenderNames } from './queries.ts';
import type { DraftProps } from './trigger-draft.ts';
import styles from './triggers.module.css';

interface TriggerFormProps extends Omit<DraftProps, 'errors'> {
  /** Whether the sender is chosen too; that of a stored trigger stays. */
  isNew: boolean;
  /** Undefined while something is missing or wrong. */
  onSubmit: (() => void) | undefined;
  isPending: boolean;
  error: unknown;
}

/** The events that a trigger takes, and what they start. */
export function TriggerForm({ draft, onChange, isNew, onSubmit, isPending, error }: TriggerFormProps) {
  const errors = toFieldErrors(error);
  const shared = { draft, onChange, errors };
  return (
    <Form onSubmit={() => onSubmit?.()}>
      <div className={styles.form}>
        <Field
          label="Name"
          value={draft.name}
          onChange={(name) => onChange({ name })}
          error={errors['name']}
        />
        {isNew && (
          <Section title="Who sends the events">
            <SenderFields {...shared} />
          </Section>
        )}
        <Section title="Which events count">
          <EventFields {...shared} />
        </Section>
        <Section title="What an event starts">
          <ActionFields {...shared} />
        </Section>
        <Problem error={error} />
        <Buttons>
          <Button kind="main" type="submit" isPending={isPending} isDisabled={!onSubmit}>
            {isNew ? 'Create' : 'Save'}
          </Button>
        </Buttons>
      </div>
    </Form>
  );
}

function SenderFields({ draft, onChange, errors }: DraftProps) {
  return (
    <>
      <NamedChoice
        label="Sender"
        value={draft.provider}
        onChange={(provider) => onChange({ provider })}
        names={useSenderNames()}
        error={errors['provider']}
      />
      {draft.provider === 'custom' && (
        <JsonField
          label="Rule, as JSON"
          hint="How it signs: signature with header, encoding and content; timestamp, deliveryId and event where it has them."
          rows={8}
          value={draft.rule}
          onChange={(rule) => onChange({ rule })}
          error={errors['rule']}
        />
      )}
      <Field
        label="Secret"
        type="password"
        autoComplete="off"
        hint="Empty for one that is made and shown once, or that the sender shows later."
        value={draft.secret}
        onChange={(secret) => onChange({ secret })}
        error={errors['secret']}
      />
    </>
  );
}

const bots = [
  { value: 'no', text: 'Start nothing' },
  { value: 'yes', text: 'Start something too' },
] as const;

function EventFields({ draft, onChange, errors }: DraftProps) {
  return (
    <>
      <Field
        label="Types, one in each line"
        hint="Such as issues.opened; issues.* for all that begin so; * for all."
        isCode
        rows={2}
        value={draft.events}
        onChange={(events) => onChange({ events })}
        error={errors['events']}
      />
      <Field
        label="Filter"
        hint="A jq program over the payload; null and false let nothing start. Empty for none."
        isCode
        value={draft.filter}
        onChange={(filter) => onChange({ filter })}
        error={errors['filter']}
      />
      <Choice
        label="Events that a program has caused"
        value={draft.bots}
        options={bots}
        onChange={(value) => onChange({ bots: value })}
      />
      <Field
        label="Events in a minute, at most"
        hint="120 by default. Further ones are refused, and most senders send them again."
        value={draft.maxPerMinute}
        onChange={(maxPerMinute) => onChange({ maxPerMinute })}
        error={errors['maxPerMinute']}
      />
    </>
  );
}
