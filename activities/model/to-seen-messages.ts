import type { TurnStep } from '../../src/modules/turns/context/turn-context-repository.ts';
import { toModelMessages, type ContextMessage } from '../../src/domain/model-context.ts';
import type { ModelMessage } from '../../src/domain/model.ts';
import { findResultReader } from '../../src/domain/stored-result.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { TurnVersion } from './read-turn-version.ts';

/** The messages and the tools that a model gets. */
export interface SeenMessages {
  messages: ModelMessage[];
  /** The ordinal of the turn that the first of them is of, a summary aside. */
  firstOrdinal: number;
  /** The tools that are switched on, unchanged since they were accepted, and allowed. */
  tools: Tool[];
}

/** Returns a context as the messages of a model, with the tools that it is offered. */
export function toSeenMessages(
  context: ContextMessage[],
  { running, step }: { running: TurnVersion; step: Pick<TurnStep, 'quarantined'> },
): SeenMessages {
  const tools = running.allowed.filter((tool) => isUsable(tool, step));
  const first = context.find(({ role }) => role !== 'summary');
  const messages = toModelMessages(context, findResultReader(tools));
  return { messages, firstOrdinal: first?.turnOrdinal ?? 1, tools };
}

function isUsable(tool: Tool, { quarantined }: Pick<TurnStep, 'quarantined'>): boolean {
  return tool.settings?.enabled !== false && !quarantined.includes(tool.id);
}
