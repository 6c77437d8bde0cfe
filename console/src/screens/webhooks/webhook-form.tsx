import { toFieldErrors } from '../../api/client.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonField } from '../../ui/json-field.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import { useSlackConnections } from './queries.ts';
import { eventTypes, type WebhookDraft } from './webhook-draft.ts';
import styles from './webhooks.module.css';

interface DraftProps {
  draft: WebhookDraft;
  onChange: (change: Partial<WebhookDraft>) => void;
  /** Whether the kind and the secret are chosen too; those of a stored webhook stay. */
  isNew: boolean;
  /** The messages of the API by the names of its fields. */
  errors: Readonly<Record<string, string>>;
}

interface WebhookFormProps extends Omit<DraftProps, 'errors'> {
  /** Undefined while something is missing or wrong. */
  onSubmit: (() => void) | undefined;
  isPending: boolean;
  error: unknown;
}

const kinds = [
  { value: 'url', text: 'An address of your program' },
  { value: 'slack', text: 'A channel of Slack, for approvals' },
] as const;

/** Where the messages of a webhook go, and of what it is notified. */
export function WebhookForm({ draft, onChange, isNew, onSubmit, isPending, error }: WebhookFormProps) {
  const shared = { draft, onChange, isNew, errors: toFieldErrors(error) };
  const maySlack = useMay()('approvals:decide');
  return (
    <Form onSubmit={() => onSubmit?.()}>
      <div className={styles.form}>
        {isNew && maySlack && (
          <Choice
            label="Sends to"
            value={draft.kind}
            options={kinds}
            onChange={(kind) => onChange({ kind })}
          />
        )}
        {draft.kind === 'url' ? <UrlFields {...shared} /> : <SlackFields {...shared} />}
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

function UrlFields({ draft, onChange, isNew, errors }: DraftProps) {
  return (
    <>
      <Field
        label="Address"
        type="url"
        hint="Redirects are not followed."
        value={draft.url}
        onChange={(url) => onChange({ url })}
        error={errors['url']}
      />
      <fieldset className={styles.events}>
        <legend>Events</legend>
        {eventTypes.map(({ value, text }) => (
          <label key={value} className={styles.event}>
            <input
              type="checkbox"
              checked={draft.events.includes(value)}
              onChange={({ target }) =>
                onChange({
                  events: eventTypes
                    .map((type) => type.value)
                    .filter((type) => (type === value ? target.checked : draft.events.includes(type))),
                })
              }
            />
            <code>{value}</code>
            <span className={styles.quiet}>{text}</span>
          </label>
        ))}
      </fieldset>
      {isNew && (
        <Field
          label="Secret"
          type="password"
          autoComplete="off"
          hint="whsec_ and 24 to 64 bytes in base64. Empty for one that is made and shown once."
          value={draft.secret}
          onChange={(secret) => onChange({ secret })}
          error={errors['secret']}
        />
      )}
    </>
  );
}

function SlackFields({ draft, onChange, isNew, errors }: DraftProps) {
  return (
    <>
      <NamedChoice
        label="Connection to Slack"
        value={draft.connectionId}
        onChange={(connectionId) => onChange({ connectionId })}
        names={useSlackConnections()}
        error={errors['slack.connectionId']}
      />
      <Field
        label="Channel"
        hint="Its id or its name."
        value={draft.channel}
        onChange={(channel) => onChange({ channel })}
        error={errors['slack.channel']}
      />
      <Field
        label="Signing secret of the Slack app"
        type="password"
        autoComplete="off"
        {...(isNew ? {} : { hint: 'Empty to keep it.' })}
        value={draft.signingSecret}
        onChange={(signingSecret) => onChange({ signingSecret })}
        error={errors['slack.signingSecret']}
      />
      <JsonField
        label="People who decide there, as JSON"
        hint="A list with teamId, userId, person and groups of each. Without any the channel only informs."
        value={draft.approvers}
        onChange={(approvers) => onChange({ approvers })}
        error={errors['slack.approvers']}
      />
    </>
  );
}
