import type { ToolExecutor } from '../domain/tool.ts';
import { failedResult } from './failed-result.ts';
import { findToolType } from './find-tool-type.ts';
import type { ToolDependencies } from './tool-type.ts';

type RunnerParts = Omit<ToolDependencies, 'now'> & {
  /** @default the clock of the machine */
  now?: ToolDependencies['now'];
};

/**
 * Builds the function that runs a call inside a step of its turn. A type that starts a workflow of its own answers that
 * it is not available: only turns that began before such types existed ask for one of their calls here.
 */
export function createToolRunner({ now = () => new Date(), ...parts }: RunnerParts): ToolExecutor {
  const dependencies = { ...parts, now };
  return async (run) => {
    run.signal.throwIfAborted();
    const found = findToolType(run.tool.type);
    if (found?.route === 'step') return found.run(run, dependencies);
    const { name, type } = run.tool;
    const message = `The tool "${name}" cannot run: tools of type "${type}" are not available on this server.`;
    return failedResult('TOOL_TYPE_NOT_AVAILABLE', message);
  };
}
