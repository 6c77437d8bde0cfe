import { describe, expect, test } from 'vitest';
import { completeContext, createContextCache } from '../../../activities/model/context-cache.ts';
import type { ContextMessage } from '../../../src/domain/model-context.ts';

/** The message and the answer of a turn, as they are read for a turn whose window begins at `firstOrdinal`. */
function turn(turnOrdinal: number, firstOrdinal = 0): ContextMessage[] {
  const base = { turnOrdinal, firstOrdinal, charactersBefore: null, providerContent: null, toolCalls: null };
  return [
    { ...base, iteration: 0, role: 'user', text: `${turnOrdinal}?` },
    { ...base, iteration: 1, role: 'assistant', text: `${turnOrdinal}!` },
  ];
}

function toTexts(context: ContextMessage[] | null): string[] | null {
  return context && context.map(({ text }) => text);
}

describe('the context cache of a conversation', () => {
  test('is empty at first', () => {
    expect(createContextCache().find('c')).toEqual({ fromOrdinal: 0, throughOrdinal: 0, messages: [] });
  });

  test('holds all turns except the running one, which still changes', () => {
    const cache = createContextCache();
    cache.remember('c', [...turn(1), ...turn(2), ...turn(3)]);
    const found = cache.find('c');

    expect(found.throughOrdinal).toBe(2);
    expect(toTexts(found.messages)).toEqual(['1?', '1!', '2?', '2!']);
    expect(cache.find('d').messages).toEqual([]);
  });
});

describe('a context', () => {
  const cache = createContextCache();
  cache.remember('c', [...turn(1), ...turn(2), ...turn(3)]);
  const remembered = cache.find('c');

  test('consists of the cached turns and the turns that were read after them', () => {
    expect(toTexts(completeContext(remembered, [...turn(3), ...turn(4)]))).toEqual([
      ...['1?', '1!', '2?', '2!'],
      ...['3?', '3!', '4?', '4!'],
    ]);
  });

  test('leaves out cached turns that no longer fit', () => {
    expect(toTexts(completeContext(remembered, turn(3, 2)))).toEqual(['2?', '2!', '3?', '3!']);
  });

  test('is read from the database again when it needs older turns than the cache has', () => {
    const narrow = createContextCache();
    narrow.remember('c', [...turn(2, 2), ...turn(3, 2)]);

    expect(completeContext(narrow.find('c'), turn(3, 0))).toBeNull();
  });

  test('is read from the database again for a turn that is older than the cached ones', () => {
    expect(completeContext(remembered, [])).toBeNull();
  });
});
