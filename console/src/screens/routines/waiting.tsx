import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import type { GetTurnResponse, JsonObject } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import type { ActionLog } from '../../live/conversation-log.ts';
import { Decision } from '../../live/decision.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonField } from '../../ui/json-field.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { parseJson } from '../../ui/parse-json.ts';
import { Problem } from '../../ui/problem.tsx';
import { Form } from '../../ui/section.tsx';
import type { Step } from './queries.ts';
import styles from './run-diagram.module.css';
import { findTask, listEventFilters, type TaskNode } from './task-tree.ts';

interface WaitingProps {
  step: Step;
  tasks: readonly TaskNode[];
  calls: GetTurnResponse | undefined;
}

/** What a step waits for, with what a person may do about it. */
export function Waiting({ step, tasks, calls }: WaitingProps) {
  const { name, kind, waitsFor, number, path } = step;
  const action = calls?.pendingActions.find(({ id }) => waitsFor === `action ${id}`);
  const runId = /^run (\S+)$/.exec(waitsFor ?? '')?.[1];
  const task = findTask(tasks, path);
  return (
    <section className={styles.section} aria-label={`${name} waits`}>
      <h2 className={styles.title}>
        <Link to="." search={(before: object) => ({ ...before, step: number })} replace>
          {name}
        </Link>{' '}
        waits
      </h2>
      {action && <Decision action={toActionLog(action, number)} />}
      {kind === 'listen' && <Event filters={task ? listEventFilters(task.definition) : []} />}
      {runId !== undefined && (
        <Link to="/routine-runs/$runId" params={{ runId }}>
          The run that it waits for
        </Link>
      )}
      {!action && kind !== 'listen' && runId === undefined && (
        <p className={styles.waiting}>{toText(waitsFor)}</p>
      )}
    </section>
  );
}

function toText(waitsFor: string | null): string {
  if (waitsFor === null) return 'It waits.';
  return waitsFor.startsWith('action ') ? 'For the decision of a person.' : `For ${waitsFor}.`;
}

type Action = GetTurnResponse['pendingActions'][number];

/** The steps of a run are numbered as the iterations of its turn. */
function toActionLog(action: Action, iteration: number): ActionLog {
  const { id, kind, toolCallId, tool, question, schema, options, server, url } = action;
  return {
    id,
    status: action.status,
    decision: null,
    requested: {
      ...{ actionId: id, kind, toolCallId, iteration, index: 0, name: tool, arguments: action.arguments },
      ...{ expiresAt: action.expiresAt, askedBecause: action.askedBecause, options, server, url },
      ...(question === null ? {} : { question }),
      ...(schema === null ? {} : { schema }),
    },
  };
}

/** The events that fit, and a form that sends one. */
function Event({ filters }: { filters: readonly JsonObject[] }) {
  const [isOpen, setOpen] = useState(false);
  const canSend = useMay()('routines:write');
  return (
    <div className={styles.waiting}>
      <p>{filters.length > 1 ? 'For events such as these:' : 'For an event such as this:'}</p>
      {filters.map((filter) => (
        <JsonView key={JSON.stringify(filter)} value={filter} />
      ))}
      {canSend && !isOpen && (
        <div>
          <Button onPress={() => setOpen(true)}>Send an event …</Button>
        </div>
      )}
      {isOpen && <EventForm type={toType(filters[0])} onSent={() => setOpen(false)} />}
    </div>
  );
}

const toType = (filter: JsonObject | undefined) =>
  typeof filter?.['type'] === 'string' ? filter['type'] : '';

function EventForm({ type: first, onSent }: { type: string; onSent: () => void }) {
  const [type, setType] = useState(first);
  const [source, setSource] = useState('console');
  const [data, setData] = useState('{}');
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () => {
      const value = parseJson(data);
      return holdfast.routines.emit({
        ...{ type: type.trim(), source: source.trim() },
        ...(value === undefined ? {} : { data: value }),
      });
    },
    onSuccess: async () => {
      onSent();
      await queries.invalidateQueries({ queryKey: ['routine-runs'] });
    },
  });
  const isReady =
    type.trim() !== '' && source.trim() !== '' && (data.trim() === '' || parseJson(data) !== undefined);
  return (
    <Form onSubmit={() => send.mutate()}>
      <Field label="Type" value={type} onChange={setType} isCode />
      <Field label="Source" value={source} onChange={setSource} isCode />
      <JsonField label="Data" rows={4} value={data} onChange={setData} />
      <p className={styles.quiet}>Each run of the workspace that waits for such an event receives it.</p>
      <Problem error={send.error} />
      <div>
        <Button kind="main" type="submit" isPending={send.isPending} isDisabled={!isReady}>
          Send the event
        </Button>
      </div>
    </Form>
  );
}
