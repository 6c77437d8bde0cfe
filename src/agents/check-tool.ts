import type { FieldError } from '../domain/errors.ts';
import type { ToolConfig, ToolInput, ToolType } from '../domain/tool.ts';
import type { FunctionCatalogue } from '../domain/function.ts';
import { functionNameOf } from '../tools/functions/function-registry.ts';
import { checkToolSchema } from '../tools/json-schema/tool-arguments.ts';

/** Of which fields of a tool's `config` there must be one, by its type. */
const neededConfig: Record<Exclude<ToolType, 'function'>, (keyof ToolConfig)[]> = {
  mcp: ['server', 'connectionId', 'gateway'],
  workflow: ['workflowId'],
  knowledge_base: ['knowledgeBaseId'],
  agent: ['agentId'],
};

/** Makes the function that says what is wrong with a tool of the right shape: its schema, or where it leads. */
export function createToolCheck(functions: FunctionCatalogue): (tool: ToolInput) => FieldError[] {
  return (tool) => {
    const schemaProblem = checkToolSchema(tool.schema);
    return [
      ...(schemaProblem === null ? [] : [{ field: 'schema', message: schemaProblem }]),
      ...(tool.type === 'function'
        ? checkFunction(functions, tool)
        : checkConfig(tool, neededConfig[tool.type])),
    ];
  };
}

function checkFunction(functions: FunctionCatalogue, tool: ToolInput): FieldError[] {
  const name = functionNameOf(tool);
  const known = functions.list().map((each) => each.name);
  if (known.includes(name)) return [];
  const message = `expected one of ${known.join(', ')}, found "${name}"`;
  return [{ field: 'config.functionName', message }];
}

function checkConfig({ type, config }: ToolInput, needed: (keyof ToolConfig)[]): FieldError[] {
  if (needed.some((name) => config[name] !== undefined)) return [];
  const fields = needed.map((name) => `config.${name}`).join(' or ');
  return [{ field: `config.${needed[0] ?? ''}`, message: `a tool of type ${type} needs ${fields}` }];
}
