import { createRoutineError } from '../../../domain/routine-error.ts';
import { OpenApiError } from '../../openapi/openapi-error.ts';

/** The error of an OpenAPI document that cannot be used. */
export function wrong(message: string): Error {
  return createRoutineError('configuration', `the OpenAPI document cannot be used: ${message}`);
}

/** Runs work on a document; an error of the document becomes one of the routine. @throws RoutineError */
export function orRoutineError<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof OpenApiError ? wrong(error.message) : error;
  }
}
