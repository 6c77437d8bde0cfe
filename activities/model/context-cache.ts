import { LRUCache } from 'lru-cache';
import type { ContextStart } from '../../src/domain/compaction.ts';
import { toSummaryMessage, withReferences, type ContextMessage } from '../../src/domain/model-context.ts';

/** The limit of the cache for all conversations of a worker together, in characters. */
const maxCharacters = 16 * 1024 * 1024;

/** The settled turns of a conversation, which never change, and the summary of those before them. */
export interface RememberedContext {
  /** The position of the first cached turn. */
  fromOrdinal: number;
  /** The position of the last cached turn; 0 when none is cached. */
  throughOrdinal: number;
  /** The summary; null for none. */
  summary: { id: string; message: ContextMessage } | null;
  messages: ContextMessage[];
}

const nothing: RememberedContext = { fromOrdinal: 0, throughOrdinal: 0, summary: null, messages: [] };

/** Caches the settled turns of conversations by workspace and conversation, so that a call reads only newer turns. */
export function createContextCache() {
  const conversations = new LRUCache<string, RememberedContext>({
    maxSize: maxCharacters,
    sizeCalculation: ({ messages, summary }) =>
      1 + messages.reduce((sum, message) => sum + toSize(message), summary ? toSize(summary.message) : 0),
  });

  return {
    find: (key: string): RememberedContext => conversations.get(key) ?? nothing,

    /** Caches a context without the turn that still runs. */
    remember: (
      key: string,
      context: ContextMessage[],
      { throughOrdinal, summaryId: id }: ContextStart,
    ): void => {
      const running = context.at(-1);
      if (!running) return;
      const { turnOrdinal } = running;
      const message = context.find(({ role }) => role === 'summary');
      const messages = context.filter((one) => one.turnOrdinal < turnOrdinal && one !== message);
      conversations.set(key, {
        fromOrdinal: throughOrdinal + 1,
        throughOrdinal: turnOrdinal - 1,
        summary: id !== null && message ? { id, message } : null,
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
  start: ContextStart,
): ContextMessage[] | null {
  const running = read.at(-1);
  if (!running) return null;
  const first = start.throughOrdinal + 1;
  // Another attempt has stored a compaction between the two statements that read the start and the messages.
  if (running.firstOrdinal !== first) return null;
  if (remembered.throughOrdinal > 0 && first < remembered.fromOrdinal) return null;
  const summary = start.summaryId === remembered.summary?.id ? [remembered.summary.message] : [];
  const known = remembered.messages.filter(({ turnOrdinal }) => turnOrdinal >= first);
  return [...summary, ...toSummaryMessage(start), ...withReferences(known, start.referencesThrough), ...read];
}

/** The sizes of messages, most of which were in the cache before. */
const sizes = new WeakMap<ContextMessage, number>();

function toSize(message: ContextMessage): number {
  const size = sizes.get(message) ?? countCharacters(message);
  sizes.set(message, size);
  return size;
}

function countCharacters({ text, parts, toolCalls, providerContent }: ContextMessage): number {
  const calls = toolCalls ?? [];
  const results = calls.reduce((sum, call) => sum + (call.result?.length ?? 0), 0);
  const opaque = providerContent === null ? 0 : JSON.stringify(providerContent).length;
  const listed = parts ? JSON.stringify(parts).length : 0;
  return (
    200 + text.length + listed + results + opaque + JSON.stringify(calls.map((call) => call.arguments)).length
  );
}
