import type { Knex } from 'knex';
import type { ToolDefinition } from '../domain/discovered-tool.ts';
import { createInvalidInput, type FieldError } from '../domain/errors.ts';
import type { Tool, ToolInput } from '../domain/tool.ts';
import { hintedEffect, isTooDeep, toCanonicalJson } from '../tools/tool-definition.ts';
import { askConnection, mapAFewAtATime, type AskedConnection } from '../connections/ask-connection.ts';
import { createToolConfigCheck } from './check-tool-config.ts';
import type { Dependencies } from '../http/server/api-dependencies.ts';

/** A tool that may be given to an agent. */
export interface PreparedTool {
  input: ToolInput;
  /** Whether the agent did not have it, or had it lead elsewhere. */
  isNew: boolean;
  /** What its MCP server says of it; null when there is none, or it could not be asked. */
  definition: ToolDefinition | null;
}

interface Preparation {
  dependencies: Pick<Dependencies, 'discovery' | 'logger' | 'mcpServers' | 'workflowTypes'>;
  workspaceId: string;
  inWorkspace: <Result>(run: (trx: Knex.Transaction) => Promise<Result>) => Promise<Result>;
  tools: ToolInput[];
  /** The tools that the agent has: one that still leads where it led is not checked again. */
  known?: Tool[] | undefined;
  /** What stands before the fields of a tool in an error. @default `tools.<index>.` */
  toPrefix?: (index: number) => string;
}

/**
 * Checks where tools lead and asks the servers of MCP tools for their definitions, in no transaction of the caller.
 * @throws HoldfastError `INVALID_INPUT` with every wrong field, `CONNECTION_ACCESS_DENIED`, `CONNECTION_NOT_ACTIVE`
 */
export async function prepareTools({
  dependencies,
  workspaceId,
  inWorkspace,
  tools,
  known = [],
  toPrefix = (index) => `tools.${index}.`,
}: Preparation): Promise<PreparedTool[]> {
  const places = new Set(known.map(toPlace));
  const isNew = tools.map((tool) => !places.has(toPlace(tool)));
  const checked = await inWorkspace(async (trx) => {
    const check = createToolConfigCheck({ trx, workspaceId, dependencies });
    const found = [];
    for (const [index, tool] of tools.entries()) {
      found.push(isNew[index] ? await check(tool) : { tool, errors: [] });
    }
    return found;
  });
  refuse(
    checked.map(({ errors }) => errors),
    toPrefix,
  );
  const offers = await askForTools(
    { dependencies, workspaceId },
    checked.flatMap(({ tool }, index) => (isNew[index] ? [tool] : [])),
  );
  const matched = checked.map(({ tool }, index) =>
    isNew[index] ? matchOffer(tool, offers.get(tool.config.connectionId ?? '')) : { tool, errors: [] },
  );
  refuse(
    matched.map(({ errors }) => errors),
    toPrefix,
  );
  return matched.map(({ tool, definition = null }, index) => ({
    input: tool,
    isNew: isNew[index] ?? true,
    definition,
  }));
}

/** Two tools with the same place are one tool, whatever is said of it. */
function toPlace({ type, name, config }: ToolInput): string {
  return toCanonicalJson([type, name, config]);
}

function refuse(errors: FieldError[][], toPrefix: (index: number) => string): void {
  const all = errors.flatMap((ofTool, index) =>
    ofTool.map(({ field, message }) => ({ field: toPrefix(index) + field, message })),
  );
  if (all.length > 0) throw createInvalidInput(all.slice(0, 50));
}

async function askForTools(
  { dependencies, workspaceId }: Pick<Preparation, 'dependencies' | 'workspaceId'>,
  tools: ToolInput[],
): Promise<Map<string, AskedConnection>> {
  const ids = tools.flatMap(({ type, config }) =>
    type === 'mcp' && config.gateway !== true && config.connectionId !== undefined
      ? [config.connectionId]
      : [],
  );
  const offers = await mapAFewAtATime([...new Set(ids)], async (connectionId) => {
    const asked = await askConnection({ dependencies, workspaceId, connectionId });
    // What only a person can mend is said at once; a server that is down may be up when the tool is called.
    if (asked.status === 'silent' && asked.error.code.startsWith('CONNECTION_')) throw asked.error;
    return [connectionId, asked] as const;
  });
  return new Map(offers);
}

interface MatchedTool {
  tool: ToolInput;
  errors: FieldError[];
  definition?: ToolDefinition | null;
}

function matchOffer(tool: ToolInput, asked: AskedConnection | undefined): MatchedTool {
  if (asked?.status !== 'answered') return { tool, errors: [] };
  const { offer } = asked;
  const wanted = tool.config.tool ?? tool.name;
  const field = tool.config.tool === undefined ? 'name' : 'config.tool';
  const found = offer.tools.find(({ name, executeRef }) => name === wanted || executeRef === wanted);
  if (!found) {
    return {
      tool,
      errors: [{ field, message: `The connection ${offer.connectionName} has no tool "${wanted}".` }],
    };
  }
  const definition = offer.definitions.get(found.name) ?? null;
  if (definition && isTooDeep(definition)) {
    return {
      tool,
      errors: [{ field, message: 'The definition of this tool is nested too deep to be kept.' }],
    };
  }
  return { tool: definition ? withHint(tool, definition) : tool, errors: [], definition };
}

/** Fills in what the server's annotations say of running a tool twice, unless the operator has said it. */
export function withHint<Input extends ToolInput>(tool: Input, definition: ToolDefinition): Input {
  const effect = tool.settings?.effect ?? hintedEffect(definition);
  return effect === undefined ? tool : { ...tool, settings: { ...tool.settings, effect } };
}
