import { describe, expect, it } from 'vitest';
import { createTextProgress } from '../../src/cli/text-progress.ts';

const first = { iteration: 1, attempt: 1 };
const second = { iteration: 1, attempt: 2 };
const nothing = { restarted: false, text: '' };

describe('the text of a turn', () => {
  it('leaves of a stored message only what was not printed', () => {
    const progress = createTextProgress();
    expect(progress.delta({ ...first, text: 'Hel' })).toEqual({ restarted: false, text: 'Hel' });
    expect(progress.message({ iteration: 1, text: 'Hello' })).toEqual({ restarted: false, text: 'lo' });
  });

  it('prints the stored message again when another text was printed', () => {
    const progress = createTextProgress();
    progress.delta({ ...first, text: 'Good' });
    expect(progress.message({ iteration: 1, text: 'Hello' })).toEqual({ restarted: true, text: 'Hello' });
  });

  it('does not mind white space at the ends', () => {
    const progress = createTextProgress();
    progress.delta({ ...first, text: 'Hello \n' });
    expect(progress.message({ iteration: 1, text: 'Hello' })).toEqual(nothing);
  });

  it('starts again at a reset, and at a newer attempt without one', () => {
    const progress = createTextProgress();
    progress.delta({ ...first, text: 'Hel' });
    expect(progress.reset(second)).toEqual({ restarted: true, text: '' });
    expect(progress.delta({ ...second, text: 'Hello' })).toEqual({ restarted: false, text: 'Hello' });
    expect(progress.delta({ iteration: 1, attempt: 3, text: 'H' })).toEqual({ restarted: true, text: 'H' });
  });

  it('says nothing of a reset when nothing was printed', () => {
    expect(createTextProgress().reset(second)).toEqual(nothing);
  });

  it('ignores pieces of an older attempt, of an older iteration and of a message that is stored', () => {
    const progress = createTextProgress();
    progress.delta({ ...second, text: 'Hello' });
    expect(progress.delta({ ...first, text: 'late' })).toEqual(nothing);
    progress.message({ iteration: 1, text: 'Hello' });
    expect(progress.delta({ ...second, text: 'late' })).toEqual(nothing);
    expect(progress.reset({ iteration: 1, attempt: 3 })).toEqual(nothing);
    expect(progress.delta({ iteration: 2, attempt: 1, text: 'More' }).text).toBe('More');
    expect(progress.message({ iteration: 1, text: 'Hello' })).toEqual(nothing);
  });
});
