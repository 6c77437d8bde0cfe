import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { askConnection, askedAtOnce, type AskedConnection } from '../../connections/ask-connection.ts';
import type { Actor } from '../../../domain/actor.ts';
import { authorize } from '../../../domain/authorize.ts';
import type { ToolDefinition } from '../../../domain/discovered-tool.ts';
import { createInvalidInput, type FieldError } from '../../../domain/errors.ts';
import type { Tool, ToolInput } from '../../../domain/tool.ts';
import { checkToolTarget } from '../../../engines/tools/check-tool.ts';
import type { CheckedTool } from '../../../engines/tools/tool-type.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { toToolPrefix } from '../check-agent.ts';
import { matchOffer } from './match-offer.ts';
import { createToolLookups } from './tool-lookups.ts';

type PreparationDependencies = Pick<
  AgentDependencies,
  'database' | 'discovery' | 'logger' | 'mcpServers' | 'workflowTypes'
>;

/** A tool that may be added to an agent. */
export interface PreparedTool {
  input: ToolInput;
  /** False when the agent has a tool of the same type, name and config. */
  isNew: boolean;
  /** The definition of its MCP server; null when it has none, or its server did not list its tools. */
  definition: ToolDefinition | null;
}

interface Preparation {
  tools: ToolInput[];
  /** The tools that the agent has: one that stays with the same type, name and config is not checked again. */
  known?: Tool[] | undefined;
  /** Gives the text before the fields of a tool in an error. @default `tools.<index>.` */
  toPrefix?: ((index: number) => string) | undefined;
}

/**
 * Checks the config of new tools in its own transaction, then asks the servers of MCP tools for their definitions.
 * @throws HoldfastError `INVALID_INPUT` with every wrong field, `FORBIDDEN` for a knowledge base that the caller may not
 * read, `CONNECTION_ACCESS_DENIED`, `CONNECTION_NOT_ACTIVE`
 */
export async function prepareTools(
  dependencies: PreparationDependencies,
  actor: Pick<Actor, 'workspaceId' | 'scopes'>,
  { tools, known = [], toPrefix = toToolPrefix }: Preparation,
): Promise<PreparedTool[]> {
  const present = new Map(known.map((tool) => [tool.name, tool]));
  const added = tools.map((tool) => ({ tool, isNew: !isSameTool(tool, present.get(tool.name)) }));
  refuseUnreadable(actor, added);
  const checked = await checkConfigs(dependencies, actor, added);
  throwErrors(checked, toPrefix);
  const fresh = checked.filter(({ isNew }) => isNew).map(({ tool }) => tool);
  const offers = await askForTools(dependencies, actor, fresh);
  const matched = checked.map(({ tool, isNew }) => ({
    isNew,
    ...(isNew && tool.type === 'mcp'
      ? matchOffer(tool, offers.get(tool.config.connectionId ?? ''))
      : { tool, errors: [], definition: null }),
  }));
  throwErrors(matched, toPrefix);
  return matched.map(({ tool, isNew, definition }) => ({ input: tool, isNew, definition }));
}

/** An agent reveals the content of its knowledge bases, so an actor that adds one needs the right to use it. */
function refuseUnreadable(actor: Pick<Actor, 'scopes'>, tools: AddedTool[]): void {
  const found = tools.find(({ tool: { config }, isNew }) => isNew && 'knowledgeBaseId' in config);
  if (found) authorize(actor, 'knowledge.use', `the tool "${found.tool.name}"`);
}

/** Whether two tools call the same thing under the same name, whatever their descriptions, schemas and settings are. */
function isSameTool(one: ToolInput, other: ToolInput | undefined): boolean {
  return one.name === other?.name && one.type === other.type && isDeepStrictEqual(one.config, other.config);
}

type AddedTool = Pick<PreparedTool, 'isNew'> & { tool: ToolInput };

function checkConfigs(
  dependencies: PreparationDependencies,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  tools: AddedTool[],
): Promise<(CheckedTool & AddedTool)[]> {
  return dependencies.database.inWorkspace(workspaceId, async (trx) => {
    const lookups = createToolLookups({ trx, workspaceId, dependencies });
    // All tools are checked at the same time, so that the lookups find what they name with a few queries.
    const checks = await Promise.allSettled(
      tools.map(async ({ tool, isNew }) => (isNew ? checkToolTarget(tool, lookups) : { tool, errors: [] })),
    );
    return checks.map((check, index) => {
      if (check.status === 'rejected') throw check.reason;
      return { isNew: tools[index]?.isNew ?? true, ...check.value };
    });
  });
}

function throwErrors(tools: { errors: FieldError[] }[], toPrefix: (index: number) => string): void {
  const all = tools.flatMap(({ errors }, index) =>
    errors.map(({ field, message }) => ({ field: toPrefix(index) + field, message })),
  );
  if (all.length > 0) throw createInvalidInput(all.slice(0, 50));
}

async function askForTools(
  dependencies: PreparationDependencies,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  tools: ToolInput[],
): Promise<Map<string, AskedConnection>> {
  const ids = tools.flatMap((tool) => {
    if (tool.type !== 'mcp' || tool.config.gateway === true) return [];
    return tool.config.connectionId ?? [];
  });
  const offers = await pLimit(askedAtOnce).map(new Set(ids), async (connectionId) => {
    const asked = await askConnection({ dependencies, workspaceId, connectionId });
    // A person has to mend the connection, so the tool is refused; a server that is down may be up at the first call.
    if (asked.status === 'silent' && asked.error.code.startsWith('CONNECTION_')) throw asked.error;
    return [connectionId, asked] as const;
  });
  return new Map(offers);
}
