import type { ErrorCode, FieldError } from '../../domain/errors.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { FailedResult } from '../../domain/tool.ts';

/** Returns the result of a tool call that failed; its message says to the model why. */
export function failedResult(code: ErrorCode, message: string, details?: JsonValue): FailedResult {
  return { status: 'failed', error: { code, message, ...(details === undefined ? {} : { details }) } };
}

/** Returns the result of a call with wrong arguments: it lists the errors by field, so that the model can correct them. */
export function invalidArguments(name: string, fields: FieldError[]): FailedResult {
  const problems = fields.map(({ field, message }) => `${field} ${message}`.trim()).join('; ');
  return failedResult(
    'INVALID_TOOL_ARGUMENTS',
    `The arguments of ${name} are not valid: ${problems}.`,
    fields,
  );
}
