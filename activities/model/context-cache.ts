import { LRUCache } from 'lru-cache';
import type { ContextMessage } from '../../src/domain/model-context.ts';

/** The most that a worker remembers of all conversations together, in characters. */
const maxCharacters = 16 * 1024 * 1024;

/** The settled turns of a conversation, which never change. */
export interface RememberedContext {
  /** The first turn of which the messages are remembered. */
  fromOrdinal: number;
  /** The last one; 0 when nothing is remembered. */
  throughOrdinal: number;
  messages: ContextMessage[];
}

const nothing: RememberedContext = { fromOrdinal: 0, throughOrdinal: 0, messages: [] };

/** Remembers the settled turns of conversations, by workspace and conversation, so that a call reads what is new. */
export function createContextCache() {
  const conversations = new LRUCache<string, RememberedContext>({
    maxSize: maxCharacters,
    sizeCalculation: ({ messages }) => 1 + messages.reduce((sum, message) => sum + toSize(message), 0),
  });

  return {
    find: (key: string): RememberedContext => conversations.get(key) ?? nothing,

    /** Remembers all of a context but the turn that still runs. */
    remember: (key: string, context: ContextMessage[]): void => {
      const running = context.at(-1);
      if (!running) return;
      const { firstOrdinal, turnOrdinal } = running;
      const messages = context.filter((message) => message.turnOrdinal < turnOrdinal);
      conversations.set(key, {
        fromOrdinal: firstOrdinal,
        throughOrdinal: turnOrdinal - 1,
        messages,
      });
    },
  };
}

export type ContextCache = ReturnType<typeof createContextCache>;

/**
 * Puts what was read behind what was remembered when the reading began. Null when older turns are wanted than are
 * remembered, or the turn itself is older: then everything has to be read.
 */
export function completeContext(
  remembered: RememberedContext,
  read: ContextMessage[],
): ContextMessage[] | null {
  const running = read.at(-1);
  if (!running) return null;
  const { firstOrdinal } = running;
  if (remembered.throughOrdinal > 0 && firstOrdinal < remembered.fromOrdinal) return null;
  return [...remembered.messages.filter(({ turnOrdinal }) => turnOrdinal >= firstOrdinal), ...read];
}

function toSize({ text, toolCalls, providerContent }: ContextMessage): number {
  const calls = toolCalls ?? [];
  const results = calls.reduce((sum, call) => sum + (call.result?.length ?? 0), 0);
  const opaque = providerContent === null ? 0 : JSON.stringify(providerContent).length;
  return 200 + text.length + results + opaque + JSON.stringify(calls.map((call) => call.arguments)).length;
}
