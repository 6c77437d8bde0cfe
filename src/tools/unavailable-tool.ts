import type { ToolExecutor, ToolType } from '../domain/tool.ts';
import { failedResult } from './failed-result.ts';

/** Builds the executor of a type of tool that this server cannot run: it says so to the model. */
export function createUnavailableTool(type: ToolType): ToolExecutor {
  return ({ tool }) => {
    const message = `The tool "${tool.name}" cannot run: tools of type "${type}" are not available on this server.`;
    return Promise.resolve(failedResult('TOOL_TYPE_NOT_AVAILABLE', message));
  };
}
