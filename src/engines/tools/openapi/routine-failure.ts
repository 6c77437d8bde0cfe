import { createRoutineError } from '../../../domain/routine-error.ts';
import { OpenApiError } from '../../openapi/openapi-error.ts';

/** Runs work on a document; an error of the document becomes one of the routine. @throws RoutineError */
export function orRoutineError<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof OpenApiError)) throw error;
    throw createRoutineError('configuration', `the OpenAPI document cannot be used: ${error.message}`);
  }
}
