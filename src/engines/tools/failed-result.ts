import type { ErrorCode, FieldError } from '../../domain/errors.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { FailedResult } from '../../domain/tool.ts';

/** A result that tells the model why its tool call came to nothing. */
export function failedResult(code: ErrorCode, message: string, details?: JsonValue): FailedResult {
  return { status: 'failed', error: { code, message, ...(details === undefined ? {} : { details }) } };
}

/** A result that tells the model field by field what is wrong with its arguments, so that it can correct them. */
export function invalidArguments(name: string, fields: FieldError[]): FailedResult {
  const problems = fields.map(({ field, message }) => `${field} ${message}`.trim()).join('; ');
  return failedResult(
    'INVALID_TOOL_ARGUMENTS',
    `The arguments of ${name} are not valid: ${problems}.`,
    fields,
  );
}
