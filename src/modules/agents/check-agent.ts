import type { AgentChange } from '../../domain/agent.ts';
import type { Actor } from '../../domain/actor.ts';
import { createInvalidInput, HoldfastError, type FieldError } from '../../domain/errors.ts';
import type { ToolInput } from '../../domain/tool.ts';
import { checkRules } from '../../engines/tools/check-rules.ts';
import { schemaChecksOf } from '../../engines/tools/json-schema/schema-checks.ts';
import type { AgentDependencies } from './agent-dependencies.ts';
import { findModelProblems } from './models/check-models.ts';

type AgentChecks = Pick<AgentDependencies, 'checkModelName' | 'checkTool'>;

/** The longest time that the schemas of one request are checked, in milliseconds. */
export const mostCheckingMs = 20_000;

/** The message for tools that were not checked, because the ones before them took too long. */
export const tookTooLong = `checking the schemas of all tools took longer than ${mostCheckingMs / 1000} s: send fewer or simpler ones`;

/**
 * Checks what the schema of an agent cannot: that its model is known, its tools can be used and its rules are valid.
 * @throws HoldfastError `UNKNOWN_MODEL` or `INVALID_INPUT` with every wrong field
 */
export async function checkAgent(
  checks: AgentChecks,
  actor: Pick<Actor, 'workspaceId'>,
  change: AgentChange,
): Promise<void> {
  const { tools = [], rules } = change;
  const wrongRules = rules ? await checkRules(rules, schemaChecksOf(actor.workspaceId)) : [];
  const ruleErrors = wrongRules.map(({ field, message }) => ({ field: `rules.${field}`, message }));
  const toolErrors = [...(await findToolErrors(checks, actor, { tools })), ...ruleErrors];
  const modelErrors = findModelProblems(checks, change);
  if (toolErrors.length > 0) throw createInvalidInput([...modelErrors, ...toolErrors].slice(0, 50));
  const [wrong] = modelErrors;
  if (wrong) throw new HoldfastError('UNKNOWN_MODEL', wrong.message, { details: modelErrors });
}

interface ToolList {
  tools: ToolInput[];
  /** Gives the text before the fields of a tool in an error. @default `tools.<index>.` */
  toPrefix?: ((index: number) => string) | undefined;
}

/**
 * Checks tools that are added to an agent.
 * @throws HoldfastError `INVALID_INPUT` with every wrong field
 */
export async function checkTools(
  checks: Pick<AgentDependencies, 'checkTool'>,
  actor: Pick<Actor, 'workspaceId'>,
  list: ToolList,
): Promise<void> {
  const errors = await findToolErrors(checks, actor, list);
  if (errors.length > 0) throw createInvalidInput(errors.slice(0, 50));
}

/** The text before the fields of a tool in an error about a list of tools. */
export function toToolPrefix(index: number): string {
  return `tools.${index}.`;
}

async function findToolErrors(
  { checkTool }: Pick<AgentDependencies, 'checkTool'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { tools, toPrefix = toToolPrefix }: ToolList,
): Promise<FieldError[]> {
  const errors = findRepeatedNames(tools);
  const deadline = Date.now() + mostCheckingMs;
  for (const [index, tool] of tools.entries()) {
    const wrong = await checkTool(tool, workspaceId);
    errors.push(...wrong.map(({ field, message }) => ({ field: toPrefix(index) + field, message })));
    if (Date.now() >= deadline)
      return [...errors, { field: `${toPrefix(index)}schema`, message: tookTooLong }];
  }
  return errors;
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
