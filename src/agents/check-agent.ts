import type { AgentChange } from '../domain/agent.ts';
import { createInvalidInput, HoldfastError, type FieldError } from '../domain/errors.ts';
import type { ToolInput } from '../domain/tool.ts';
import { checkRules } from '../tools/check-rules.ts';
import type { AgentDependencies } from './agent-dependencies.ts';

type AgentChecks = Pick<AgentDependencies, 'checkModelName' | 'checkTool'>;

/**
 * Checks what the schema of an agent cannot: that its model is known, its tools can be used and its rules are valid.
 * @throws HoldfastError `UNKNOWN_MODEL` or `INVALID_INPUT` with every wrong field
 */
export function checkAgent(
  checks: AgentChecks,
  {
    model,
    modelConnectionId,
    tools = [],
    rules,
  }: Pick<AgentChange, 'model' | 'modelConnectionId' | 'tools' | 'rules'>,
): void {
  const ruleErrors = rules
    ? checkRules(rules).map(({ field, message }) => ({ field: `rules.${field}`, message }))
    : [];
  const toolErrors = [...findToolErrors(checks, tools, toToolPrefix), ...ruleErrors];
  // Without `modelConnectionId` the agent keeps its connection, which it may have.
  const hasConnection = modelConnectionId !== null;
  const modelProblem = model === undefined ? null : checks.checkModelName(model, { hasConnection });
  const modelErrors = modelProblem === null ? [] : [{ field: 'model', message: modelProblem }];
  if (toolErrors.length > 0) throw createInvalidInput([...modelErrors, ...toolErrors].slice(0, 50));
  if (modelProblem !== null) throw new HoldfastError('UNKNOWN_MODEL', modelProblem, { details: modelErrors });
}

/**
 * Checks tools that are added to an agent.
 * @throws HoldfastError `INVALID_INPUT` with every wrong field
 */
export function checkTools(
  checks: Pick<AgentDependencies, 'checkTool'>,
  tools: ToolInput[],
  toPrefix: (index: number) => string = toToolPrefix,
): void {
  const errors = findToolErrors(checks, tools, toPrefix);
  if (errors.length > 0) throw createInvalidInput(errors.slice(0, 50));
}

/** The text before the fields of a tool in an error about a list of tools. */
export function toToolPrefix(index: number): string {
  return `tools.${index}.`;
}

function findToolErrors(
  { checkTool }: Pick<AgentDependencies, 'checkTool'>,
  tools: ToolInput[],
  toPrefix: (index: number) => string,
): FieldError[] {
  const wrong = tools.flatMap((tool, index) =>
    checkTool(tool).map(({ field, message }) => ({ field: toPrefix(index) + field, message })),
  );
  return [...findRepeatedNames(tools), ...wrong];
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
