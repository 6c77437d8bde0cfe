import type { ErrorCode } from '../domain/errors.ts';
import type { JsonValue } from '../domain/json.ts';
import type { ToolResult } from '../domain/tool.ts';

/** A result that tells the model why its tool call came to nothing. */
export function failedResult(code: ErrorCode, message: string, details?: JsonValue): ToolResult {
  return { status: 'failed', error: { code, message, ...(details === undefined ? {} : { details }) } };
}
