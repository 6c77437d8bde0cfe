import { describe, expect, it } from 'vitest';
import { createTextProgress } from '../../../src/clients/cli/text-progress.ts';

const first = { iteration: 1, attempt: 1 };
const second = { iteration: 1, attempt: 2 };
const nothing = { restarted: false, text: '' };

describe('the printed text of a turn', () => {
  it('ends with the part of a stored message that was not printed yet', () => {
    const progress = createTextProgress();
    expect(progress.delta({ ...first, text: 'Hel' })).toEqual({ restarted: false, text: 'Hel' });
    expect(progress.message({ iteration: 1, text: 'Hello' })).toEqual({ restarted: false, text: 'lo' });
  });

  it('repeats the whole stored message when a different text was printed', () => {
    const progress = createTextProgress();
    progress.delta({ ...first, text: 'Good' });
    expect(progress.message({ iteration: 1, text: 'Hello' })).toEqual({ restarted: true, text: 'Hello' });
  });

  it('ignores white space at the start and end of a message', () => {
    const progress = createTextProgress();
    progress.delta({ ...first, text: 'Hello \n' });
    expect(progress.message({ iteration: 1, text: 'Hello' })).toEqual(nothing);
  });

  it('starts again at a reset, and at a newer attempt without a reset', () => {
    const progress = createTextProgress();
    progress.delta({ ...first, text: 'Hel' });
    expect(progress.reset(second)).toEqual({ restarted: true, text: '' });
    expect(progress.delta({ ...second, text: 'Hello' })).toEqual({ restarted: false, text: 'Hello' });
    expect(progress.delta({ iteration: 1, attempt: 3, text: 'H' })).toEqual({ restarted: true, text: 'H' });
  });

  it('has no notice of a reset when nothing was printed before', () => {
    expect(createTextProgress().reset(second)).toEqual(nothing);
  });

  it('ignores chunks of an older attempt, of an older iteration and of a stored message', () => {
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
