import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import type { SecretLocation } from '../../../domain/secret-reference.ts';

/** A call of a step. Its number identifies it in the ledger, so that the same step is never sent twice. */
export interface CallStep {
  number: number;
  call: string;
  arguments: JsonObject;
  /** The locations in the arguments that get secrets when the request is sent. */
  secrets: SecretLocation[];
  /** Null for the limit of the agent. */
  timeoutMs: number | null;
}

/** A run of another routine that a step starts. */
export interface ChildRunStep {
  number: number;
  namespace: string;
  name: string;
  /** The version that the document of the routine gives itself, or `latest`. */
  version: string;
  input: JsonValue;
  /** Whether the step waits for the end of the run. */
  awaits: boolean;
}

/**
 * The interface of the interpreter to the outside, all of which is recorded or repeatable. A wait ends early when the
 * workflow continues as new: the same step then calls again and resumes.
 */
export interface RoutineGround {
  /** Epoch milliseconds. */
  now: () => number;
  /** From 0 to 1. */
  random: () => number;
  /** Waits while the run is paused. @throws RoutineStopped */
  beforeStep: () => Promise<void>;
  /** @throws RoutineError of type `expression` */
  evaluate: (programs: string[], dot: JsonValue, variables: JsonObject) => Promise<JsonValue[]>;
  /** Says in a sentence why a value does not fit a JSON Schema; null when it does. */
  validate: (schema: JsonObject, value: JsonValue) => Promise<string | null>;
  sleepUntil: (at: number) => Promise<void>;
  /** @throws RoutineError */
  call: (step: CallStep) => Promise<JsonValue>;
  /** Answers the event with the attributes that were added. */
  emit: (number: number, event: JsonObject) => Promise<JsonObject>;
  /** Hands on each event that comes until `take` answers true. `state` keeps the position. */
  listen: (state: JsonObject, take: (event: JsonObject) => Promise<boolean>) => Promise<void>;
  /** Answers the output of the run, or null when the step does not wait. @throws RoutineError */
  runRoutine: (step: ChildRunStep) => Promise<JsonValue>;
  /** Runs branches at the same time. The first that fails cancels the others. */
  all: <Result>(branches: (() => Promise<Result>)[]) => Promise<Result[]>;
  /** Answers the result of the first branch that ends, and cancels the others. */
  race: <Result>(branches: (() => Promise<Result>)[]) => Promise<Result>;
  /** Cancels what runs at a time. Null when it came. */
  until: <Result>(at: number, run: () => Promise<Result>) => Promise<{ result: Result } | null>;
}

/** Thrown when the run has got a stop request: no task catches it. */
export class RoutineStopped extends Error {
  override readonly name = 'RoutineStopped';
}

/** Thrown when the run has taken all that its workspace lets a run take: no task catches it. */
export class RoutineLimitReached extends Error {
  override readonly name = 'RoutineLimitReached';
}
