import { LRUCache } from 'lru-cache';
import type { ContextMessage } from '../../src/domain/model-context.ts';

/** The limit of the cache for all conversations of a worker together, in characters. */
const maxCharacters = 16 * 1024 * 1024;

/** The settled turns of a conversation, which never change. */
export interface RememberedContext {
  /** The position of the first cached turn. */
  fromOrdinal: number;
  /** The position of the last cached turn; 0 when none is cached. */
  throughOrdinal: number;
  messages: ContextMessage[];
}

const nothing: RememberedContext = { fromOrdinal: 0, throughOrdinal: 0, messages: [] };

/** Caches the settled turns of conversations by workspace and conversation, so that a call reads only newer turns. */
export function createContextCache() {
  const conversations = new LRUCache<string, RememberedContext>({
    maxSize: maxCharacters,
    sizeCalculation: ({ messages }) => 1 + messages.reduce((sum, message) => sum + toSize(message), 0),
  });

  return {
    find: (key: string): RememberedContext => conversations.get(key) ?? nothing,

    /** Caches a context without the turn that still runs. */
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
 * Appends the turns that were read to those that were cached when the reading began. Returns null when the caller
 * needs turns that are older than the cached ones; then it has to read the whole context.
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

/** The sizes of messages, most of which were in the cache before. */
const sizes = new WeakMap<ContextMessage, number>();

function toSize(message: ContextMessage): number {
  const size = sizes.get(message) ?? countCharacters(message);
  sizes.set(message, size);
  return size;
}

function countCharacters({ text, toolCalls, providerContent }: ContextMessage): number {
  const calls = toolCalls ?? [];
  const results = calls.reduce((sum, call) => sum + (call.result?.length ?? 0), 0);
  const opaque = providerContent === null ? 0 : JSON.stringify(providerContent).length;
  return 200 + text.length + results + opaque + JSON.stringify(calls.map((call) => call.arguments)).length;
}
