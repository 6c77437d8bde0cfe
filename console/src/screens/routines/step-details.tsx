import { Link } from '@tanstack/react-router';
import type { GetTurnResponse } from '../../api/types.ts';
import { ResultText } from '../../live/turn-view.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatDateTime, formatDuration } from '../../ui/format.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Part } from '../../ui/split.tsx';
import { Status } from '../../ui/status.tsx';
import type { Run, Step } from './queries.ts';
import styles from './run-diagram.module.css';
import { findTask, type TaskNode } from './task-tree.ts';

interface StepDetailsProps {
  step: Step;
  run: Run;
  tasks: readonly TaskNode[];
  calls: GetTurnResponse | undefined;
}

/** One step in full: its state, what it was given and returned, and the task that it ran. */
export function StepDetails({ step, run, tasks, calls }: StepDetailsProps) {
  const { number, name, kind, state, path, startedAt, endedAt, outputPreview, error } = step;
  const ofStep = calls?.toolCalls.filter(({ iteration }) => iteration === number) ?? [];
  const task = findTask(tasks, path);
  return (
    <Part
      title={name}
      level={2}
      actions={
        <Link to="." search={(before: object) => ({ ...before, step: undefined })} replace>
          Show the run
        </Link>
      }
    >
      <Rounds step={step} steps={run.steps} />
      <Facts
        facts={[
          ['State', <Status key="state" status={state} />],
          ['Kind', kind],
          ['Step', number],
          ['Began', formatDateTime(startedAt)],
          ['Took', endedAt === null ? null : formatDuration(Date.parse(endedAt) - Date.parse(startedAt))],
        ]}
      />
      {error !== null && (
        <Part title="Error">
          <JsonView value={error} />
        </Part>
      )}
      {ofStep.map((call) => (
        <Call key={call.id} call={call} />
      ))}
      {outputPreview !== null && (
        <Part title="Output">
          <ResultText text={outputPreview} />
        </Part>
      )}
      {task && (
        <Part title="Task">
          <JsonView value={task.definition} open={1} />
        </Part>
      )}
    </Part>
  );
}

/** A task in a loop has a step for each round. */
function Rounds({ step, steps }: { step: Step; steps: readonly Step[] }) {
  const ofTask = steps.filter(({ path }) => path === step.path);
  if (ofTask.length < 2) return null;
  return (
    <nav className={styles.rounds} aria-label="Rounds">
      {ofTask.map(({ number }, index) => (
        <Link
          key={number}
          to="."
          search={(before: object) => ({ ...before, step: number })}
          replace
          resetScroll={false}
          aria-current={number === step.number ? 'step' : undefined}
        >
          {index + 1}
        </Link>
      ))}
    </nav>
  );
}

/** A call that the step has made. */
function Call({ call }: { call: GetTurnResponse['toolCalls'][number] }) {
  const { name, status, arguments: given, result, error, attempts, childTurnId } = call;
  return (
    <Part title={`Call of ${name}`}>
      <p>
        <Status status={status} />
        {attempts > 1 && <span className={styles.quiet}> after {attempts} attempts</span>}
      </p>
      <JsonView value={given} open={3} />
      {error !== null && <p>{error.message}</p>}
      {result !== null && <ResultText text={result} />}
      {childTurnId !== null && (
        <Link to="/runs/$turnId" params={{ turnId: childTurnId }}>
          Open the run of the agent that was called
        </Link>
      )}
    </Part>
  );
}
