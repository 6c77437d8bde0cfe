import { HoldfastApiError } from '../client/index.ts';
import { errorCodes, type ErrorCode } from '../../domain/errors.ts';
import { isJsonObject } from '../../domain/json.ts';

// By name, not by class: the caller may have another copy of @temporalio/client.
function hasName(error: unknown, ...names: string[]): error is Error {
  return error instanceof Error && names.includes(error.name);
}

/** Returns true when Temporal refused a start because the workflow exists. */
export function isAlreadyStarted(error: unknown): boolean {
  return hasName(error, 'WorkflowExecutionAlreadyStartedError');
}

/** Returns true when Temporal knows no such workflow, or none that still runs. */
export function isNotFound(error: unknown): boolean {
  return hasName(error, 'WorkflowNotFoundError');
}

/** Finds the failure that Holdfast's own code reported in the chain of causes of a failed workflow. */
export function findApplicationFailure(error: unknown): HoldfastApiError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!hasName(cause, 'ApplicationFailure') || !('type' in cause)) continue;
    const { type } = cause;
    if (typeof type !== 'string' || !Object.hasOwn(errorCodes, type)) continue;
    // The first detail of Holdfast's failures is the error that the API would have answered.
    const info: unknown = 'details' in cause && Array.isArray(cause.details) ? cause.details[0] : undefined;
    const details = isJsonObject(info) ? info['details'] : undefined;
    return new HoldfastApiError(type as ErrorCode, cause.message, { details, cause: error });
  }
  return undefined;
}
