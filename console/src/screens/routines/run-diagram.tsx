import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { GetTurnResponse } from '../../api/types.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Part, Split } from '../../ui/split.tsx';
import { Diagram } from './diagram.tsx';
import type { Routine, Run } from './queries.ts';
import styles from './run-diagram.module.css';
import { StepDetails } from './step-details.tsx';
import { toTaskStates } from './task-states.ts';
import { toTaskTree } from './task-tree.ts';
import { Waiting } from './waiting.tsx';

interface RunDiagramProps {
  run: Run;
  routine: Routine | undefined;
  /** The turn of the run; undefined for who may not read it. */
  calls: GetTurnResponse | undefined;
  /** The number of the chosen step. */
  step: number | undefined;
}

/** The tasks of a routine with what a run has done with them, and beside it the chosen step. */
export function RunDiagram({ run, routine, calls, step }: RunDiagramProps) {
  const tasks = useMemo(() => (routine ? toTaskTree(routine.document) : []), [routine]);
  const states = useMemo(() => toTaskStates(run.steps), [run.steps]);
  const chosen = run.steps.find(({ number }) => number === step);
  const waiting = run.steps.filter(({ state }) => state === 'waiting');
  const isOther = routine !== undefined && routine.version !== run.version;
  return (
    <Split
      label="Diagram"
      details={
        <>
          {waiting.map((one) => (
            <Waiting key={one.number} step={one} tasks={tasks} calls={calls} />
          ))}
          {chosen ? <StepDetails step={chosen} run={run} tasks={tasks} calls={calls} /> : <Ends run={run} />}
        </>
      }
    >
      {isOther && (
        <p className={styles.note}>
          The run has version {run.version} of the document. The diagram is that of version {routine.version},
          so that some steps may be missing in it.
        </p>
      )}
      <Diagram tasks={tasks} states={states} chosen={chosen?.path} />
    </Split>
  );
}

/** The input of a run, and how it has ended. */
function Ends({ run: { input, output, error, status, steps } }: { run: Run }) {
  const failed = steps.findLast(({ state }) => state === 'faulted');
  return (
    <>
      {error !== null && (
        <Part title="Error" level={2}>
          <JsonView value={error} />
          {failed && (
            <Link to="." search={(before: object) => ({ ...before, step: failed.number })} replace>
              The step that failed
            </Link>
          )}
        </Part>
      )}
      {status === 'completed' && (
        <Part title="Output" level={2}>
          <JsonView value={output} open={3} />
        </Part>
      )}
      <Part title="Input" level={2}>
        <JsonView value={input} open={3} />
      </Part>
    </>
  );
}
