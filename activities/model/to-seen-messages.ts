import type { TurnStep } from '../../src/db/turns/turn-context-repository.ts';
import { toModelMessages, type ContextMessage } from '../../src/domain/model-context.ts';
import type { ModelMessage } from '../../src/domain/model.ts';
import { findResultReader } from '../../src/domain/stored-result.ts';
import type { TurnVersion } from './read-turn-version.ts';
import { listUsableTools } from './to-model-call.ts';

/** The messages that a model gets. */
export interface SeenMessages {
  messages: ModelMessage[];
  /** The ordinal of the turn that the first of them is of, a summary aside. */
  firstOrdinal: number;
}

/** Returns a context as the messages of a model that is offered these tools. */
export function toSeenMessages(
  context: ContextMessage[],
  { running, step }: { running: TurnVersion; step: Pick<TurnStep, 'quarantined'> },
): SeenMessages {
  const reader = findResultReader(listUsableTools(running, step));
  const first = context.find(({ role }) => role !== 'summary');
  return { messages: toModelMessages(context, reader), firstOrdinal: first?.turnOrdinal ?? 1 };
}
