import { isJsonObject, type JsonValue } from '../domain/json.ts';

// A program may hold this module twice, its own and that of its functions: instances are told by a mark, not by class.
const failureMark = Symbol.for('holdfast.tool-failure');
const unknownMark = Symbol.for('holdfast.outcome-unknown');

/** Thrown by a function to fail on purpose: the model is told the message and the details. */
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
 * What a function throws when it cannot say whether it took effect, such as after a connection that broke before
 * the answer came. An `unsafe` function is then never repeated, and model and operator are told; others run again.
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
