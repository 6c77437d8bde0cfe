import type { AgentChange } from '../domain/agent.ts';
import { HoldfastError, type FieldError } from '../domain/errors.ts';
import type { ToolInput } from '../domain/tool.ts';
import type { Dependencies } from './dependencies.ts';
import { createInvalidInput } from './errors.ts';

type AgentChecks = Pick<Dependencies, 'checkModelName' | 'checkTool'>;

/**
 * Checks what the schema of an agent can not: that there is such a model, and that its tools can be used.
 * @throws HoldfastError `UNKNOWN_MODEL` or `INVALID_INPUT` with every wrong field
 */
export function checkAgent(
  checks: AgentChecks,
  { model, tools = [] }: Pick<AgentChange, 'model' | 'tools'>,
): void {
  const toolErrors = [
    ...findRepeatedNames(tools),
    ...tools.flatMap((tool, index) => checkOne(checks, tool, index)),
  ];
  const modelProblem = model === undefined ? null : checks.checkModelName(model);
  const modelErrors = modelProblem === null ? [] : [{ field: 'model', message: modelProblem }];
  if (toolErrors.length > 0) throw createInvalidInput([...modelErrors, ...toolErrors].slice(0, 50));
  if (modelProblem !== null) throw new HoldfastError('UNKNOWN_MODEL', modelProblem, { details: modelErrors });
}

function findRepeatedNames(tools: ToolInput[]): FieldError[] {
  const seen = new Set<string>();
  return tools.flatMap(({ name }, index) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ field: `tools.${index}.name`, message: `expected a name of its own, found "${name}" again` }];
  });
}

function checkOne({ checkTool }: AgentChecks, tool: ToolInput, index: number): FieldError[] {
  return checkTool(tool).map(({ field, message }) => ({ field: `tools.${index}.${field}`, message }));
}
