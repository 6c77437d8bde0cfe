import type { FieldError } from './domain/errors.ts';
import type { ToolConfig, ToolInput, ToolType } from './domain/tool.ts';
import { builtInFunctions, findBuiltInFunction } from './tools/built-in-functions.ts';
import { functionNameOf } from './tools/function-tool.ts';
import { checkToolSchema } from './tools/tool-arguments.ts';

/** Of which fields of a tool's `config` there must be one, by its type. */
const neededConfig: Record<Exclude<ToolType, 'function'>, (keyof ToolConfig)[]> = {
  mcp: ['server', 'connectionId'],
  workflow: ['workflowId'],
  knowledge_base: ['knowledgeBaseId'],
  agent: ['agentId'],
};

/** Says what is wrong with a tool that has the right shape: its schema, or where it leads. */
export function checkTool(tool: ToolInput): FieldError[] {
  const schemaProblem = checkToolSchema(tool.schema);
  return [
    ...(schemaProblem === null ? [] : [{ field: 'schema', message: schemaProblem }]),
    ...(tool.type === 'function' ? checkFunction(tool) : checkConfig(tool, neededConfig[tool.type])),
  ];
}

function checkFunction(tool: ToolInput): FieldError[] {
  const name = functionNameOf(tool);
  if (findBuiltInFunction(name)) return [];
  const known = Object.keys(builtInFunctions).join(', ');
  return [{ field: 'config.functionName', message: `expected one of ${known}, found "${name}"` }];
}

function checkConfig({ type, config }: ToolInput, needed: (keyof ToolConfig)[]): FieldError[] {
  if (needed.some((name) => config[name] !== undefined)) return [];
  const fields = needed.map((name) => `config.${name}`).join(' or ');
  return [{ field: `config.${needed[0] ?? ''}`, message: `a tool of type ${type} needs ${fields}` }];
}
