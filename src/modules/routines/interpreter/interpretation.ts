import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import type { RoutineLimits } from '../routine-limits.ts';
import type { RoutineProgress } from '../routine-contract.ts';
import type { RoutineGround } from './ground.ts';
import type { StepLog } from './step-log.ts';

/** A task with its place in the document. */
export interface PlacedTask {
  name: string;
  definition: JsonObject;
  /** The JSON Pointer. */
  path: string;
}

/** The data that the expressions of a task see. */
export interface TaskScope {
  task: PlacedTask;
  /** The input of the task after `input.from`. */
  input: JsonValue;
  /** The input before `input.from`. @default the input */
  rawInput?: JsonValue;
  /** The output before `output.as`, once the task has one. */
  rawOutput?: JsonValue;
  /** The variables of the tasks around it, such as `item`. */
  variables: JsonObject;
  startedAt: number;
  /** The number of the step. */
  step: number;
}

/** The result of a task: its output, and a directive when the task itself gives one. */
export interface TaskResult {
  output: JsonValue;
  then?: string | undefined;
}

/** A task that is to run: `state` is its part of the progress of the run, which it keeps up to date. */
export interface TaskToRun {
  task: PlacedTask;
  input: JsonValue;
  variables: JsonObject;
  state: JsonObject;
}

/** A list of tasks that is to run. */
export interface ListToRun {
  list: JsonValue | undefined;
  path: string;
  input: JsonValue;
  variables: JsonObject;
  state: JsonObject;
}

/** One interpretation of a document. */
export interface Interpretation {
  runId: string;
  document: JsonObject;
  /** The input of the run before `input.from`. */
  rawInput: JsonValue;
  ground: RoutineGround;
  progress: Pick<RoutineProgress, 'context' | 'startedAt'>;
  steps: StepLog;
  /** The maximum that the run may take. @default no limits */
  limits?: RoutineLimits | undefined;
  runTask: (routine: Interpretation, run: TaskToRun) => Promise<{ output: JsonValue; then: string }>;
  runList: (routine: Interpretation, run: ListToRun) => Promise<{ output: JsonValue; ends: boolean }>;
}

/** Returns the part of a state that has a name; it is added when it is missing. */
export function partOf(state: JsonObject, name: string): JsonObject {
  const part = state[name];
  if (isJsonObject(part)) return part;
  const added: JsonObject = {};
  state[name] = added;
  return added;
}

/** Returns a component of `use`; undefined when the document has none of that name. */
export function findComponent(document: JsonObject, kind: string, name: string): JsonValue | undefined {
  const use = isJsonObject(document.use) ? document.use : {};
  const components = use[kind];
  return isJsonObject(components) ? components[name] : undefined;
}

/** Returns whether jq takes a value for true. */
export function isTrue(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** Returns a field that is an object; an empty one when it is not. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
