import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDuration } from '../../ui/format.ts';
import { Status } from '../../ui/status.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './diagram.module.css';
import type { TaskGroup, TaskNode } from './task-tree.ts';
import type { TaskState } from './task-states.ts';

interface DiagramProps {
  tasks: readonly TaskNode[];
  /** What a run has done with the tasks, by their paths. Without it no run is shown. */
  states?: ReadonlyMap<string, TaskState>;
  /** The path of the chosen task. */
  chosen?: string | undefined;
}

/**
 * The tasks of a routine on a line from top to bottom: the line is solid as far as a run has come. Branches that run at the same
 * time stand beside each other.
 */
export function Diagram({ tasks, states, chosen }: DiagramProps) {
  return <Tasks tasks={tasks} shown={{ states, chosen }} label="Tasks" />;
}

/** What is shown of a run on the tasks. */
interface Shown {
  states: ReadonlyMap<string, TaskState> | undefined;
  chosen: string | undefined;
}

function Tasks({ tasks, shown, label }: { tasks: readonly TaskNode[]; shown: Shown; label: string }) {
  return (
    <ol className={styles.tasks} aria-label={label}>
      {tasks.map((task) => (
        <Task key={task.path} task={task} shown={shown} />
      ))}
    </ol>
  );
}

function Task({ task, shown }: { task: TaskNode; shown: Shown }) {
  const state = shown.states?.get(task.path);
  const isReached = shown.states === undefined || state !== undefined;
  return (
    <li className={styles.task} data-reached={isReached} data-state={state?.state}>
      {task.condition !== null && <p className={styles.condition}>if {task.condition}</p>}
      <Row task={task} state={state} isChosen={task.path === shown.chosen} />
      {task.cases.length > 0 && <Cases task={task} />}
      <div className={task.isParallel ? styles.parallel : undefined}>
        {task.groups.map((group, index) => (
          <Group
            // Groups of a task have no identity besides their place.
            key={index}
            group={group}
            shown={shown}
            label={`${group.label === null ? 'Tasks' : toWords(group.label)} of ${task.name}`}
          />
        ))}
      </div>
      {task.then !== null && task.kind !== 'switch' && <p className={styles.then}>then → {task.then}</p>}
    </li>
  );
}

function Group({ group, shown, label }: { group: TaskGroup; shown: Shown; label: string }) {
  return (
    <div className={styles.group}>
      {group.label !== null && <p className={styles.label}>{group.label}</p>}
      {group.tasks.length > 0 ? (
        <Tasks tasks={group.tasks} shown={shown} label={label} />
      ) : (
        <p className={styles.label}>nothing more</p>
      )}
    </div>
  );
}

interface RowProps {
  task: TaskNode;
  state: TaskState | undefined;
  isChosen: boolean;
}

/** A task in one line; one that a run has begun leads to its newest step. */
function Row({ task, state, isChosen }: RowProps) {
  const content: ReactNode = (
    <>
      <span className={styles.mark}>{state && <Status status={state.state} text="" />}</span>
      <span className={styles.name}>{task.name}</span>
      <span className={styles.kind}>{task.kind}</span>
      <span className={styles.text}>{task.text}</span>
      {state && (
        <span className={styles.state}>
          {state.rounds > 1 && `${state.rounds} × `}
          {toWords(state.state)}
          {state.durationMs !== null && ` ${formatDuration(state.durationMs)}`}
        </span>
      )}
    </>
  );
  if (!state) return <div className={styles.row}>{content}</div>;
  return (
    <Link
      to="."
      search={(before: object) => ({ ...before, step: state.step })}
      replace
      resetScroll={false}
      className={styles.row}
      aria-current={isChosen ? 'step' : undefined}
    >
      {content}
    </Link>
  );
}

function Cases({ task: { cases, then, name } }: { task: TaskNode }) {
  return (
    <ul className={styles.cases} aria-label={`Cases of ${name}`}>
      {cases.map((one) => (
        <li key={one.name}>
          <span className={styles.name}>{one.name}</span>
          <span className={styles.text}>{one.when === null ? 'else' : `when ${one.when}`}</span>
          <span className={styles.kind}>→ {one.then ?? then ?? 'the next task'}</span>
        </li>
      ))}
    </ul>
  );
}
