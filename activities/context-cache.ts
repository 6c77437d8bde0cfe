import { LRUCache } from 'lru-cache';
import type { ContextMessage } from '../src/domain/model-context.ts';

/** The most that a worker remembers of all conversations together, in characters. */
const maxCharacters = 16 * 1024 * 1024;

interface RememberedConversation {
  /** The last turn whose messages are remembered; it and all before it are over and never change. */
  throughOrdinal: number;
  messages: ContextMessage[];
}

/** Remembers the settled turns of conversations, so that a model call reads only what is new. */
export function createContextCache() {
  const conversations = new LRUCache<string, RememberedConversation>({
    maxSize: maxCharacters,
    sizeCalculation: ({ messages }) => 1 + messages.reduce((sum, message) => sum + toSize(message), 0),
  });

  return {
    /** The last turn that need not be read again; 0 when none is remembered. */
    throughOrdinal: (conversationId: string): number =>
      conversations.get(conversationId)?.throughOrdinal ?? 0,

    /** Puts what was read behind what is remembered, and remembers all but the turn that still runs. */
    complete: (conversationId: string, read: ContextMessage[], afterOrdinal: number): ContextMessage[] => {
      const running = read.at(-1);
      if (!running) return [];
      const remembered = conversations.get(conversationId);
      const fits = remembered?.throughOrdinal === afterOrdinal;
      const before = fits
        ? remembered.messages.filter(({ turnOrdinal }) => turnOrdinal >= running.firstOrdinal)
        : [];
      const settled = [...before, ...read.filter(({ turnOrdinal }) => turnOrdinal < running.turnOrdinal)];
      conversations.set(conversationId, { throughOrdinal: running.turnOrdinal - 1, messages: settled });
      return [...settled, ...read.filter(({ turnOrdinal }) => turnOrdinal === running.turnOrdinal)];
    },
  };
}

export type ContextCache = ReturnType<typeof createContextCache>;

function toSize({ text, toolCalls, providerContent }: ContextMessage): number {
  const calls = toolCalls ?? [];
  const results = calls.reduce((sum, call) => sum + (call.result?.length ?? 0) + 500, 0);
  return text.length + results + (providerContent === null ? 0 : 2_000) + 200;
}
