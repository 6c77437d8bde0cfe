import { expect, it } from 'vitest';
import { createInterrupts } from '../../../src/clients/cli/interrupts.ts';

function createRecorded() {
  const done: string[] = [];
  const interrupts = createInterrupts({
    cancel: (turnId) => done.push(`cancel ${turnId}`),
    leave: (turnId) => done.push(`leave ${turnId ?? 'without a turn'}`),
  });
  return { done, interrupts };
}

it('an interrupt exits when no turn runs', () => {
  const { done, interrupts } = createRecorded();
  interrupts.press();
  expect(done).toEqual(['leave without a turn']);
});

it('a first interrupt cancels the turn and a second one exits, for each turn anew', () => {
  const { done, interrupts } = createRecorded();
  for (const turnId of ['a', 'b']) {
    interrupts.begin();
    interrupts.started(turnId);
    interrupts.press();
    interrupts.end();
  }
  interrupts.begin();
  interrupts.started('c');
  interrupts.press();
  interrupts.press();
  expect(done).toEqual(['cancel a', 'cancel b', 'cancel c', 'leave c']);
});

it('an interrupt during the start cancels the turn as soon as the turn has an id', () => {
  const { done, interrupts } = createRecorded();
  interrupts.begin();
  interrupts.press();
  expect(done).toEqual([]);
  interrupts.started('a');
  expect(done).toEqual(['cancel a']);
});
