import { describe, expect, it } from 'vitest';
import { toModelCallKey } from '../../../src/platform/lib/model-call-key.ts';
import { createScripts } from '../../../src/clients/testing/scripts.ts';

/** A client that finds these open turns. */
function findingTurns(...items: { id: string; parentTurnId: string | null }[]) {
  return { turns: { find: () => Promise.resolve({ items, nextCursor: null }) } };
}

const started = (id: string) => Promise.resolve({ id });

describe('the scripts of a test', () => {
  it('are taken step by step by the turn of their question', async () => {
    const scripts = createScripts();
    scripts.set([{ text: 'a1' }, { text: 'a2' }]);
    scripts.take('a', started('a'));
    scripts.set([{ text: 'b1' }]);
    scripts.take('b', started('b'));
    const client = findingTurns();
    expect(await scripts.next(toModelCallKey('b', 1), client)).toEqual({ text: 'b1' });
    expect(await scripts.next(toModelCallKey('a', 1), client)).toEqual({ text: 'a1' });
    expect(await scripts.next(toModelCallKey('b', 2), client)).toBeUndefined();
    expect(await scripts.next(toModelCallKey('a', 2), client)).toEqual({ text: 'a2' });
    expect(scripts.listUnused()).toEqual([]);
  });

  it('are taken by turns below that of the question, at any depth', async () => {
    const scripts = createScripts();
    scripts.set([{ text: 'below' }]);
    scripts.take('above', started('above'));
    scripts.set([{ text: 'other' }]);
    scripts.take('other', started('other'));
    const client = findingTurns(
      { id: 'lowest', parentTurnId: 'middle' },
      { id: 'middle', parentTurnId: 'above' },
      { id: 'above', parentTurnId: null },
      { id: 'other', parentTurnId: null },
    );
    expect(await scripts.next(toModelCallKey('lowest', 3), client)).toEqual({ text: 'below' });
  });

  it('are for turns without a question as long as no question has taken them', async () => {
    const scripts = createScripts();
    scripts.take('question', started('question'));
    scripts.set([{ text: 'free' }]);
    const client = findingTurns({ id: 'program', parentTurnId: null });
    expect(await scripts.next(toModelCallKey('program', 1), client)).toEqual({ text: 'free' });
    expect(await scripts.next(toModelCallKey('program', 2), client)).toBeUndefined();
  });

  it('serve the calls of swarms and summaries, which belong to no turn of a question', async () => {
    const scripts = createScripts();
    scripts.set([{ text: 'summary' }]);
    scripts.take('question', started('question'));
    expect(await scripts.next('another key', findingTurns())).toEqual({ text: 'summary' });
  });

  it('are left over when they are replaced, not used up, or their question starts no turn', async () => {
    const scripts = createScripts();
    scripts.set([{ text: 'replaced' }]);
    scripts.set([{ text: 'refused' }]);
    scripts.take('refused', Promise.reject(new Error('no such conversation')));
    scripts.set([{ text: 'used' }, { text: 'unused' }]);
    scripts.take('asked', started('asked'));
    scripts.set([{ text: 'never asked' }]);
    await scripts.next(toModelCallKey('asked', 1), findingTurns());
    expect(scripts.listUnused()).toEqual([
      { message: null, steps: [{ text: 'replaced' }] },
      expect.objectContaining({ message: 'refused', steps: [{ text: 'refused' }] }),
      expect.objectContaining({ message: 'asked', steps: [{ text: 'unused' }] }),
      { message: null, steps: [{ text: 'never asked' }] },
    ]);
  });
});
