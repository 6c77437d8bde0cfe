import type { FailedResult, ToolExecutor, ToolRun } from '../../domain/tool.ts';
import { failedResult } from './failed-result.ts';
import { findToolType, type FindToolType } from './find-tool-type.ts';
import type { InnerCall, ToolDependencies } from './tool-type.ts';

type RunnerParts = Omit<ToolDependencies, 'now' | 'services'> & {
  /** @default the types of `tool-types.ts` */
  findType?: FindToolType;
  /** @default none: core functions answer that they are not configured */
  services?: ToolDependencies['services'];
  /** @default the clock of the machine */
  now?: ToolDependencies['now'];
};

function toDependencies({ now = () => new Date(), services = {}, ...parts }: RunnerParts): ToolDependencies {
  return { ...parts, now, services };
}

/**
 * Builds the function that runs a call inside a step of its turn. A type that starts its own workflow is not run by
 * a step; its calls answer that it is not available.
 */
export function createToolRunner({ findType = findToolType, ...parts }: RunnerParts): ToolExecutor {
  const dependencies = toDependencies(parts);
  return async (run) => {
    run.signal.throwIfAborted();
    const found = findType(run.tool.type);
    if (found?.route === 'step') return found.run(run, dependencies);
    const { name, type } = run.tool;
    const message = `The tool "${name}" cannot run: tools of type "${type}" are not available on this server.`;
    return failedResult('TOOL_TYPE_NOT_AVAILABLE', message);
  };
}

/** Finds the tool behind an agent's tool that a call is for; null for a call that is for none. */
export type FindInnerCall = (run: ToolRun) => Promise<InnerCall | FailedResult | null>;

/** Builds the function that finds the tools behind the tools of an agent. It throws what a retry may mend. */
export function createInnerCallFinder({ findType = findToolType, ...parts }: RunnerParts): FindInnerCall {
  const dependencies = toDependencies(parts);
  return async (run) => {
    const found = findType(run.tool.type);
    return found?.route === 'step' && found.findInnerCall ? found.findInnerCall(run, dependencies) : null;
  };
}
