import type { ToolConfig, ToolExecutor } from '../domain/tool.ts';
import type { GuardedFetch } from '../egress/guarded-fetch.ts';
import { builtInFunctions, findBuiltInFunction } from './built-in-functions.ts';
import { checkToolArguments } from './tool-arguments.ts';
import { failedResult } from './failed-result.ts';

interface FunctionToolDependencies {
  fetch: GuardedFetch;
  now: () => Date;
}

/** The built-in function that a tool leads to; without `functionName` the one of the tool's own name. */
export function functionNameOf(tool: { name: string; config: ToolConfig }): string {
  return tool.config.functionName ?? tool.name;
}

/** Builds the executor of tools of type `function`. */
export function createFunctionTool({ fetch, now }: FunctionToolDependencies): ToolExecutor {
  return async (run) => {
    run.signal.throwIfAborted();
    const name = functionNameOf(run.tool);
    const builtIn = findBuiltInFunction(name);
    if (!builtIn) {
      const known = Object.keys(builtInFunctions).join(', ');
      return failedResult('UNKNOWN_TOOL', `There is no function "${name}". Known are: ${known}.`);
    }
    const fields = checkToolArguments(builtIn.schema, run.arguments);
    if (fields.length > 0) {
      const message = fields.map((error) => `${error.field} ${error.message}`.trim()).join('; ');
      return failedResult(
        'INVALID_TOOL_ARGUMENTS',
        `The arguments of ${name} are not valid: ${message}.`,
        fields,
      );
    }
    const { idempotencyKey, timeoutMs, signal } = run;
    return builtIn.run({ arguments: run.arguments, idempotencyKey, timeoutMs, signal, fetch, now });
  };
}
