import type { StoredSubtask } from './subtask-rows.ts';
import { createInvalidInput, type FieldError } from '../../../domain/errors.ts';
import { isOver, swarmBounds, type SubtaskChange, type SwarmChange } from '../../../domain/swarm.ts';

/** The subtasks after a change, and what was different before. */
export interface ChangedSubtasks {
  subtasks: StoredSubtask[];
  /** The subtasks that are new or differ, to be stored. */
  changed: StoredSubtask[];
  deleted: string[];
  /** The turns of subtasks that were deleted or canceled while they ran. */
  stopping: string[];
}

interface ChangeContext {
  now: string;
  /** Returns the id of the agent that an assignee names; undefined when there is none. Without a name it is the leader. */
  findAgent: (assignee: string | undefined) => string | undefined;
}

/**
 * Applies a change to the subtasks of a swarm.
 * @throws HoldfastError `INVALID_INPUT` for an unknown dependency, a cycle, an unknown agent or too many subtasks
 */
export function changeSubtasks(
  current: readonly StoredSubtask[],
  { set = [], delete: removed = [] }: NonNullable<SwarmChange['subTasks']>,
  context: ChangeContext,
): ChangedSubtasks {
  const errors: FieldError[] = [];
  const subtasks = new Map(current.map((each) => [each.id, each]));
  const changed = new Map<string, StoredSubtask>();
  const stopping: string[] = [];
  const deleted = removed.filter((id) => subtasks.has(id));
  let position = Math.max(-1, ...current.map((each) => each.position));
  for (const id of deleted) {
    stopping.push(...toRunningTurn(subtasks.get(id)));
    subtasks.delete(id);
  }
  for (const [index, change] of set.entries()) {
    const before = subtasks.get(change.id);
    const add = (field: string, message: string) =>
      errors.push({ field: `subTasks.set.${index}.${field}`, message });
    const after = before
      ? toChanged(before, change, context)
      : toNew(change, { ...context, position: (position += 1) });
    if (after.description === '') add('description', 'expected the work of a new subtask');
    if (after.assignee === '')
      add('assignee', `expected an agent of the team, found ${change.assignee ?? 'no leader either'}`);
    if (after.status === 'canceled') stopping.push(...toRunningTurn(before));
    subtasks.set(change.id, after);
    changed.set(change.id, after);
  }
  const list = [...subtasks.values()];
  errors.push(...findWrongDependencies(list));
  if (list.length > swarmBounds.subtasks)
    errors.push({
      field: 'subTasks.set',
      message: `expected at most ${swarmBounds.subtasks} subtasks in all`,
    });
  if (errors.length > 0) throw createInvalidInput(errors);
  return { subtasks: list, changed: [...changed.values()], deleted, stopping };
}

function toRunningTurn(subtask: StoredSubtask | undefined): string[] {
  return subtask?.status === 'in_progress' && subtask.turn_id !== null ? [subtask.turn_id] : [];
}

function toNew(
  change: SubtaskChange,
  { now, findAgent, position }: ChangeContext & { position: number },
): StoredSubtask {
  const status = change.status ?? 'todo';
  return {
    id: change.id,
    description: change.description ?? '',
    assignee: findAgent(change.assignee) ?? '',
    depends_on: [...new Set(change.depends_on)],
    priority: change.priority ?? 'medium',
    status,
    ...{ attempts: 0, tries: 0, position, isReported: true },
    ...{ result: null, error: null, turn_id: null, started_at: null },
    created_at: change.created_at ?? now,
    ended_at: isOver(status) ? now : null,
  };
}

/** A subtask that runs stays in progress until its turn ends, unless it is ended by the change. */
function toChanged(
  before: StoredSubtask,
  change: SubtaskChange,
  { now, findAgent }: ChangeContext,
): StoredSubtask {
  const isAgain = change.status === 'todo' && isOver(before.status);
  const ends = change.status !== undefined && change.status !== 'todo' && change.status !== before.status;
  return {
    ...before,
    description: change.description ?? before.description,
    assignee: change.assignee === undefined ? before.assignee : (findAgent(change.assignee) ?? ''),
    depends_on: change.depends_on ? [...new Set(change.depends_on)] : before.depends_on,
    priority: change.priority ?? before.priority,
    ...(isAgain ? { status: 'todo', tries: 0, error: null, result: null, ended_at: null } : {}),
    ...(ends && change.status ? { status: change.status, isReported: true, error: null, ended_at: now } : {}),
  };
}

/** Finds dependencies on subtasks that are not there, and subtasks that depend on themselves. */
function findWrongDependencies(subtasks: readonly StoredSubtask[]): FieldError[] {
  const known = new Map(subtasks.map((each) => [each.id, each]));
  const errors = subtasks.flatMap(({ id, depends_on: needed }) =>
    needed
      .filter((other) => !known.has(other))
      .map((other) => ({ field: `subTasks.${id}.depends_on`, message: `there is no subtask "${other}"` })),
  );
  const cycle = findCycle(known);
  if (cycle === null) return errors;
  const message = `expected no cycle, found ${cycle.join(' → ')}`;
  return [...errors, { field: `subTasks.${cycle[0] ?? ''}.depends_on`, message }];
}

/** Removes subtasks that depend on none that is left, until none is: the rest holds a cycle. */
function findCycle(subtasks: ReadonlyMap<string, StoredSubtask>): string[] | null {
  const left = new Map(subtasks);
  const isFree = ({ depends_on: needed }: StoredSubtask) => !needed.some((id) => left.has(id));
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const each of [...left.values()].filter(isFree)) left.delete(each.id);
  }
  let [id] = left.keys();
  if (id === undefined) return null;
  const path: string[] = [];
  while (!path.includes(id)) {
    path.push(id);
    id = left.get(id)?.depends_on.find((other) => left.has(other)) ?? id;
  }
  return [...path.slice(path.indexOf(id)), id];
}
