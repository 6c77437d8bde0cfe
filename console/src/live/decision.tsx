import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { holdfast } from '../api/client.ts';
import { useMay } from '../app/session.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { JsonView } from '../ui/json-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { toWords } from '../ui/tone.ts';
import type { ActionLog } from './conversation-log.ts';
import styles from './decision.module.css';

/** The decision of a person about an action, as the API takes it. */
export type DecisionBody = Parameters<typeof holdfast.pendingActions.decide>[1];

/** What a turn waits for, with what a person may do about it; or who has decided. */
export function Decision({ action }: { action: ActionLog }) {
  const { kind } = action.requested;
  if (action.status !== 'pending') return <Decided action={action} />;
  return (
    <div className={styles.decision} role="group" aria-label={`Decision about ${action.requested.name}`}>
      <p className={styles.because}>
        {toRequest(action)} It expires <Time at={action.requested.expiresAt} />.
      </p>
      {kind === 'approval' ? <Approval action={action} /> : <Answer action={action} />}
    </div>
  );
}

function toRequest({ requested }: ActionLog): string {
  if (requested.kind === 'client_tool') return 'Waits for the program that runs this tool.';
  if (requested.kind === 'question') return requested.question ?? 'Asks a question.';
  const because = requested.askedBecause ?? [];
  return because.length === 0 ? 'Waits for a person to approve.' : `Asks because ${because.join(' and ')}.`;
}

function Decided({ action: { status, decision, requested } }: { action: ActionLog }) {
  const who = decision?.decidedBy.actingFor ?? (decision ? 'an API key' : null);
  const by = who === null ? '' : ` by ${who}`;
  const reason = decision?.reason ? `: ${decision.reason}` : '';
  const approved = decision?.approvedArguments ?? null;
  return (
    <div className={styles.decided}>
      <p>
        {requested.kind === 'approval' ? 'The call was' : 'The question was'} {toWords(status)}
        {by}
        {reason}
      </p>
      {approved !== null && (
        <>
          <p>With other arguments:</p>
          <JsonView value={approved} />
        </>
      )}
    </div>
  );
}

/** Sends the decision about an action. */
function useDecide(actionId: string) {
  return useMutation({
    mutationFn: (body: DecisionBody) => holdfast.pendingActions.decide(actionId, body),
  });
}

function Approval({ action }: { action: ActionLog }) {
  const may = useMay();
  const decide = useDecide(action.id);
  const [form, setForm] = useState<'change' | 'reject' | null>(null);
  if (!may('approvals:decide')) return null;
  const toggle = (next: typeof form) => () => setForm(form === next ? null : next);
  return (
    <>
      <div className={styles.buttons}>
        <Button
          kind="main"
          isPending={decide.isPending}
          onPress={() => decide.mutate({ decision: 'approve' })}
        >
          Approve
        </Button>
        <Button onPress={toggle('change')}>Change …</Button>
        <Button kind="bad" onPress={toggle('reject')}>
          Reject …
        </Button>
      </div>
      {form === 'change' && <ChangeForm action={action} decide={decide.mutate} />}
      {form === 'reject' && <RejectForm decide={decide.mutate} />}
      <Problem error={decide.error} />
    </>
  );
}

type Decide = (body: DecisionBody) => void;

function ChangeForm({ action, decide }: { action: ActionLog; decide: Decide }) {
  const [text, setText] = useState(() => JSON.stringify(action.requested.arguments, null, 2));
  const [error, setError] = useState<string | undefined>();
  const submit = () => {
    const changed = parseObject(text);
    if (changed) decide({ decision: 'approve', arguments: changed });
    else setError('Expected an object of JSON.');
  };
  return (
    <div className={styles.form}>
      <Field label="Arguments" rows={6} isCode value={text} onChange={setText} error={error} />
      <Button kind="main" onPress={submit}>
        Approve with these
      </Button>
    </div>
  );
}

function parseObject(text: string): Record<string, never> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, never>) : null;
  } catch {
    return null;
  }
}

function RejectForm({ decide }: { decide: Decide }) {
  const [reason, setReason] = useState('');
  return (
    <div className={styles.form}>
      <Field label="Reason, which the agent reads" value={reason} onChange={setReason} />
      <Button
        kind="bad"
        onPress={() =>
          decide({ decision: 'reject', ...(reason.trim() === '' ? {} : { reason: reason.trim() }) })
        }
      >
        Reject
      </Button>
    </div>
  );
}

/** The answer to a question: one of its options, or a text. */
function Answer({ action }: { action: ActionLog }) {
  const may = useMay();
  const decide = useDecide(action.id);
  const [text, setText] = useState('');
  const name = useId();
  const { options, schema, url } = action.requested;
  if (!may('conversations:write')) return null;
  const answer = (value: string) => decide.mutate({ decision: 'answer', answer: toAnswer(value, schema) });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        answer(text);
      }}
    >
      {typeof url === 'string' && (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {url}
        </a>
      )}
      {options && options.length > 0 ? (
        <div className={styles.buttons} role="group" aria-label="Answers" id={name}>
          {options.map((option) => (
            <Button key={option} onPress={() => answer(option)}>
              {option}
            </Button>
          ))}
        </div>
      ) : (
        <>
          <Field label="Your answer" rows={2} value={text} onChange={setText} />
          <div className={styles.buttons}>
            <Button kind="main" type="submit" isPending={decide.isPending} isDisabled={text.trim() === ''}>
              Answer
            </Button>
            <Button onPress={() => decide.mutate({ decision: 'reject' })}>Decline</Button>
          </div>
        </>
      )}
      <Problem error={decide.error} />
    </form>
  );
}

/** A question whose schema is an object takes JSON; every other takes the text. */
function toAnswer(text: string, schema: object | undefined) {
  if (!schema || !('type' in schema) || schema.type === 'string') return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}
