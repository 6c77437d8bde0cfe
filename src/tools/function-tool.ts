import type { ToolExecutor } from '../domain/tool.ts';
import type { GuardedFetch } from '../egress/guarded-fetch.ts';
import { failedResult, invalidArguments } from './failed-result.ts';
import { functionNameOf, type FunctionRegistry } from './functions/function-registry.ts';
import { checkToolArguments } from './json-schema/tool-arguments.ts';

interface FunctionToolDependencies {
  functions: FunctionRegistry;
  fetch: GuardedFetch;
  now: () => Date;
}

/** Builds the executor of tools of type `function`. */
export function createFunctionTool({ functions, fetch, now }: FunctionToolDependencies): ToolExecutor {
  return async (run) => {
    run.signal.throwIfAborted();
    const name = functionNameOf(run.tool);
    const found = functions.find(name);
    if (!found) {
      const known = functions.list().map((each) => each.name);
      return failedResult('UNKNOWN_TOOL', `There is no function "${name}". Known are: ${known.join(', ')}.`);
    }
    const fields = checkToolArguments(found.schema, run.arguments);
    if (fields.length > 0) return invalidArguments(name, fields);
    return found.run({ ...run, fetch, now });
  };
}
