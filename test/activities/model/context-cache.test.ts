import { describe, expect, test } from 'vitest';
import { completeContext, createContextCache } from '../../../activities/model/context-cache.ts';
import { wholeConversation } from '../../../src/domain/compaction.ts';
import { toSummaryMessage, type ContextMessage } from '../../../src/domain/model-context.ts';

/** The message and the answer of a turn, as they are read for a turn whose context begins at `firstOrdinal`. */
function turn(turnOrdinal: number, firstOrdinal = 1): ContextMessage[] {
  const base = { turnOrdinal, firstOrdinal, providerContent: null, toolCalls: null };
  return [
    { ...base, iteration: 0, role: 'user', text: `${turnOrdinal}?` },
    { ...base, iteration: 1, role: 'assistant', text: `${turnOrdinal}!` },
  ];
}

function toTexts(context: ContextMessage[] | null): string[] | null {
  return context && context.map(({ text }) => text);
}

/** The start of a context without the turns up to one, which the summary tells of. */
function after(throughOrdinal: number, summary: string | null = null) {
  return { ...wholeConversation, throughOrdinal, summaryId: 'summary-1', summary };
}

describe('the context cache of a conversation', () => {
  test('is empty at first', () => {
    const empty = { fromOrdinal: 0, throughOrdinal: 0, summary: null, messages: [] };
    expect(createContextCache().find('c')).toEqual(empty);
  });

  test('holds all turns except the running one, which still changes', () => {
    const cache = createContextCache();
    cache.remember('c', [...turn(1), ...turn(2), ...turn(3)], wholeConversation);
    const found = cache.find('c');

    expect(found.throughOrdinal).toBe(2);
    expect(toTexts(found.messages)).toEqual(['1?', '1!', '2?', '2!']);
    expect(cache.find('d').messages).toEqual([]);
  });
});

describe('a context', () => {
  const cache = createContextCache();
  cache.remember('c', [...turn(1), ...turn(2), ...turn(3)], wholeConversation);
  const remembered = cache.find('c');

  test('consists of the cached turns and the turns that were read after them', () => {
    expect(toTexts(completeContext(remembered, [...turn(3), ...turn(4)], wholeConversation))).toEqual([
      ...['1?', '1!', '2?', '2!'],
      ...['3?', '3!', '4?', '4!'],
    ]);
  });

  test('begins with the summary in place of the cached turns that it tells of, and keeps it in the cache', () => {
    const start = after(1, 'It began.');
    const first = completeContext(remembered, turn(3, 2), start);
    expect(toTexts(first)).toEqual(['It began.', '2?', '2!', '3?', '3!']);
    const own = createContextCache();
    own.remember('c', first ?? [], start);

    expect(toTexts(completeContext(own.find('c'), [...turn(3, 2), ...turn(4, 2)], after(1)))).toEqual([
      ...['It began.', '2?', '2!'],
      ...['3?', '3!', '4?', '4!'],
    ]);
  });

  test('is read from the database again when it needs older turns than the cache has', () => {
    const narrow = createContextCache();
    narrow.remember(
      'c',
      [...toSummaryMessage(after(1, 'Old.')), ...turn(2, 2), ...turn(3, 2)],
      after(1, 'Old.'),
    );

    expect(completeContext(narrow.find('c'), turn(3), wholeConversation)).toBeNull();
  });

  test('is read from the database again when another attempt has compacted it between two statements', () => {
    expect(completeContext(remembered, turn(3, 3), wholeConversation)).toBeNull();
  });

  test('is read from the database again for a turn that is older than the cached ones', () => {
    expect(completeContext(remembered, [], wholeConversation)).toBeNull();
  });
});
