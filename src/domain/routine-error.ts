import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

const base = 'https://serverlessworkflow.io/spec/1.0.0/errors/';

/** The standard's types of errors with their default statuses. */
export const routineErrorStatuses = {
  configuration: 400,
  validation: 400,
  expression: 400,
  authentication: 401,
  authorization: 403,
  timeout: 408,
  communication: 500,
  runtime: 500,
} as const;
export type RoutineErrorType = keyof typeof routineErrorStatuses;

/** An error of a routine, as the standard describes it (RFC 7807). `instance` is the path of the task. */
export interface RoutineProblem {
  [key: string]: JsonValue | undefined;
  type: string;
  status: number;
  instance?: string;
  title?: string;
  detail?: string;
}

/** An error that a routine may catch. */
export class RoutineError extends Error {
  override readonly name = 'RoutineError';
  readonly problem: RoutineProblem;

  constructor(problem: RoutineProblem) {
    super(`${problem.title ?? problem.type}${problem.detail === undefined ? '' : `: ${problem.detail}`}`);
    this.problem = problem;
  }
}

/** Creates an error of one of the standard's types. */
export function createRoutineError(
  type: RoutineErrorType,
  detail: string,
  more: { title?: string; status?: number; instance?: string } = {},
): RoutineError {
  return new RoutineError({ type: `${base}${type}`, status: routineErrorStatuses[type], detail, ...more });
}

/** The addresses under which releases of the standard and its examples name the types of errors. */
const knownType =
  /^https:\/\/serverlessworkflow\.io(?:\.io)?\/(?:spec\/[\d.]+\/errors|dsl\/errors\/types)\/(\w+)$/;

/** Returns a type of errors as Holdfast writes it, whichever release of the standard it was written for. */
export function toErrorType(type: JsonValue | undefined): JsonValue | undefined {
  const name = typeof type === 'string' ? knownType.exec(type)?.[1] : undefined;
  return name === undefined ? type : `${base}${name}`;
}

/** Returns a problem as JSON, without fields that are not set. */
export function toProblemJson(problem: RoutineProblem): JsonObject {
  return Object.fromEntries(
    Object.entries(problem).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

/** Reads a stored problem. */
export function toProblem(value: JsonValue | undefined): RoutineProblem {
  const { type, status, ...rest } = isJsonObject(value) ? value : {};
  return {
    ...rest,
    type: typeof type === 'string' ? type : `${base}runtime`,
    status: typeof status === 'number' ? status : 500,
  };
}
