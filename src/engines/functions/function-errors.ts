import { isJsonObject, type JsonValue } from '../../domain/json.ts';

// A program may load two copies of this module, its own and that of its functions, so `instanceof` would not work.
const failureMark = Symbol.for('holdfast.tool-failure');
const unknownMark = Symbol.for('holdfast.outcome-unknown');

/**
 * Thrown by a function that refuses a call: the call fails with `TOOL_FAILED`, and the model gets the message and the details.
 * Any other error that a function throws is a defect of it: `TOOL_RUNNER_EXCEPTION`.
 */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly details: JsonValue | undefined;
  readonly [failureMark] = true;

  constructor(message: string, options: { details?: JsonValue; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.details = options.details;
  }
}

/**
 * Thrown by a function that cannot say whether it took effect, such as after a request whose answer never arrived.
 * A call of an `unsafe` function is then never repeated, and model and operator see the status `unknown`; others run again.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
  readonly [unknownMark] = true;

  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
  }
}

/** Whether an error is a {@link ToolFailure}, of this or another copy of the package. */
export function isToolFailure(error: unknown): error is ToolFailure {
  return isJsonObject(error) && failureMark in error;
}

/** Whether an error is an {@link OutcomeUnknownError}, of this or another copy of the package. */
export function isOutcomeUnknown(error: unknown): error is OutcomeUnknownError {
  return isJsonObject(error) && unknownMark in error;
}
