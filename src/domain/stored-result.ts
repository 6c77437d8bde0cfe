import type { ErrorInfo } from './errors.ts';
import type { Tool } from './tool.ts';
import type { ToolCallStatus } from './turn.ts';

/** The name of the built-in function with which a model reads stored results of tool calls. */
export const resultReaderFunction = 'read_tool_result';

/** The end of a tool call as it is stored: its whole result, as far as results are stored. */
export interface StoredResult {
  name: string;
  status: ToolCallStatus;
  /** Null for a call without one. */
  text: string | null;
  /** True when the tool has given more than is stored. */
  isCut: boolean;
  error: ErrorInfo | null;
}

/** Returns the name of the tool that reads stored results, among those that a model is offered; null when there is none. */
export function findResultReader(offered: readonly Tool[]): string | null {
  return offered.find(isResultReader)?.name ?? null;
}

/** Returns whether a tool reads stored results, whatever its name. */
export function isResultReader(tool: Tool): boolean {
  return (
    tool.type === 'function' &&
    tool.config.runs !== 'client' &&
    (tool.config.functionName ?? tool.name) === resultReaderFunction
  );
}
