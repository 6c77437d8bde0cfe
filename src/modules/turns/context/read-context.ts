import { toRowScope } from '../../../domain/row-scope.ts';
import { createTurnContextRepository } from './turn-context-repository.ts';
import { createShownContextRepository } from './shown-context-repository.ts';
import { conversationNotFound } from '../turn-rows.ts';
import type { AgentVersion } from '../../../domain/agent.ts';
import type { Actor, Viewer } from '../../../domain/actor.ts';
import { mayDo } from '../../../domain/authorize.ts';
import { wholeConversation, type ContextStart } from '../../../domain/compaction.ts';
import { estimateTokens, toContextBudget, toFullness } from '../../../domain/context-budget.ts';
import { toModelMessages, toSummaryMessage, type ContextMessage } from '../../../domain/model-context.ts';
import { toModelTool } from '../../../domain/model-tool.ts';
import type { NamedConnection } from '../../../domain/rules.ts';
import type { ShownContext } from '../../../domain/shown-context.ts';
import { findResultReader } from '../../../domain/stored-result.ts';
import { withSkillList } from '../../../domain/skill-tools.ts';
import type { Tool } from '../../../domain/tool.ts';
import { listConnectionIds, toolboxOf } from '../../../engines/tools/toolbox.ts';
import type { TurnDependencies } from '../turn-dependencies.ts';

/** Returns the tools of a version that its model is offered. */
type ListOffered = (version: AgentVersion, connections: NamedConnection[]) => Tool[];

interface ContextRequest {
  conversationId: string;
  listOffered: ListOffered;
}

/** After every iteration that there can be. */
const afterAll = 2_147_483_647;

/**
 * Reads what the next model call of a conversation would see, without `agents:read` not the configuration of its agent.
 * @throws HoldfastError `NOT_FOUND`
 */
export function readContext(
  { database }: Pick<TurnDependencies, 'database'>,
  actor: Viewer & Pick<Actor, 'scopes'>,
  { conversationId, listOffered }: ContextRequest,
): Promise<ShownContext> {
  const maySeeAgents = mayDo(actor, 'agents.read');
  return database.transact(toRowScope(actor), async (query) => {
    const shown = createShownContextRepository(query);
    const contexts = createTurnContextRepository(query);
    const newest = await shown.findNewestTurn(conversationId);
    if (!newest) throw conversationNotFound(conversationId);
    const { turnId, isRunning, iterations, agentId } = newest;
    const stored = await contexts.getVersion(newest.versionId);
    const iteration = isRunning ? iterations + 1 : afterAll;
    const step = turnId === null ? null : await contexts.findStep(turnId, iteration);
    const read = turnId === null ? [] : await contexts.listContext(turnId, { iteration });
    const start = step?.start ?? wholeConversation;
    const context = [...toSummaryMessage(start), ...read];
    const turns = await shown.listTurnIds(conversationId);
    const connections = await contexts.listNamed({ ids: listConnectionIds(toolboxOf(stored)), names: [] });
    const offered = listOffered(stored, connections).filter(({ id }) => !step?.quarantined.includes(id));
    const version = { ...stored, instructions: withSkillList(stored, offered) };
    const room = toContextBudget(version, step?.tokenRatios ?? {});
    return {
      ...{ agentId, agentVersionId: version.id, model: version.model, turnId: isRunning ? turnId : null },
      instructions: maySeeAgents ? hideCanaries(version) : '',
      tools: offered.map(toModelTool).map((tool) => (maySeeAgents ? tool : withoutDefinition(tool))),
      messages: toShownMessages(context, {
        turns: new Map(turns.map(({ id, ordinal }) => [ordinal, id])),
        reader: findResultReader(offered),
      }),
      compaction: version.compaction,
      threshold: room.threshold,
      estimatedTokens: estimateTokens(context, room),
      tokensPerByte: room.tokensPerByte,
      isTooLong: version.compaction !== 'off' && toFullness(context, room) > 1,
      leftOut: countLeftOut(context, turns, start),
      compactions: await shown.listCompactions(conversationId),
    };
  });
}

/** The definitions of tools are read with `agents:read`; the names stay, since calls have them too. */
function withoutDefinition({ name }: { name: string }): ShownContext['tools'][number] {
  return { name, description: '', schema: { type: 'object' } };
}

/** The tokens may stand in the instructions themselves. */
function hideCanaries({ instructions, rules }: AgentVersion): string {
  return rules.canaryTokens.reduce((text, token) => text.replaceAll(token, '[canary]'), instructions);
}

function toShownMessages(
  context: ContextMessage[],
  { turns, reader }: { turns: Map<number, string>; reader: string | null },
): ShownContext['messages'] {
  return context.flatMap((message): ShownContext['messages'] => {
    const turnId = message.role === 'summary' ? null : (turns.get(message.turnOrdinal) ?? null);
    if (message.role === 'summary') return [{ role: 'summary', turnId, text: message.text }];
    return toModelMessages([message], reader).map((one) => ({
      role: one.role,
      turnId,
      text: one.text,
      ...(one.role === 'assistant' && {
        toolCalls: one.toolCalls.map(({ name, arguments: input }) => ({ name, arguments: input })),
      }),
    }));
  });
}

function countLeftOut(
  context: ContextMessage[],
  turns: { ordinal: number }[],
  { throughOrdinal }: ContextStart,
): ShownContext['leftOut'] {
  const calls = context.flatMap(({ toolCalls }) => toolCalls ?? []);
  return {
    turns: turns.filter(({ ordinal }) => ordinal <= throughOrdinal).length,
    results: calls.filter(({ isReferenced }) => isReferenced).length,
  };
}
