import { expect, test } from 'vitest';
import type { StepDependencies } from '../../../activities/step-dependencies.ts';
import { createKeptTurns } from '../../../activities/turn/kept-turns.ts';
import { createTurnMemory, type TurnMemory } from '../../../activities/turn/turn-memory.ts';
import type { TurnHold } from '../../../activities/turn-hold.ts';
import type { TurnState } from '../../../src/modules/turns/turn-state.ts';
import { newId } from '../../../src/platform/lib/ids.ts';

const place = { workspaceId: newId(), turnId: newId(), iteration: 3 };
const unchanged: TurnState = {
  cancelRequested: false,
  quarantined: ['tool'],
  steering: false,
  budgeted: true,
};

const toHold = (): TurnHold => ({ id: newId(), isTaken: false });

/** A memory that knows the turn before the model call of iteration 3. */
function createKnown(): TurnMemory {
  const memory = createTurnMemory(place.workspaceId);
  const message = { turnOrdinal: 1, firstOrdinal: 1, iteration: 0, role: 'user', text: 'Hello' };
  const step = { ordinal: 1, steered: 0, usage: {}, tokenRatios: {}, start: {}, tokensUsed: 0 };
  const answer = {
    iteration: 2,
    claimId: newId(),
    text: 'Hm.',
    toolCalls: [],
    usage: {},
    providerContent: null,
  };
  const before = { step, context: [message], taken: [] };
  const state: TurnState = { ...unchanged, quarantined: [], budgeted: false };
  memory.answered({ result: {}, stored: { before, answer, state, version: { rules: {} } } } as never);
  return memory;
}

/** A database that answers with a state of the turn, and counts how often it was asked. */
function createDatabase(answer: () => Promise<TurnState | null>) {
  const asked: unknown[] = [];
  const holdUnchanged = (left: unknown) => {
    asked.push(left);
    return answer();
  };
  const pipelined = (_: unknown, run: (repositories: unknown) => unknown) =>
    run({ context: { holdUnchanged } });
  return { asked, pipelined } as unknown as Pick<StepDependencies, 'pipelined'> & { asked: unknown[] };
}

test('the next part of a turn knows it, with what may have changed in between', async () => {
  const kept = createKeptTurns();
  kept.keep(place.turnId, createKnown());
  const database = createDatabase(() => Promise.resolve(unchanged));
  const hold = toHold();
  const memory = await kept.take(database, place, hold);

  expect(hold.isTaken).toBe(true);
  expect(memory.find(3)).toMatchObject({
    step: { ...unchanged, heldBy: hold.id },
    context: [{ text: 'Hello' }, { text: 'Hm.' }],
  });
  expect(database.asked).toEqual([{ turnId: place.turnId, iteration: 3, steered: 0, heldBy: hold.id }]);
});

test.each([
  ['has changed', () => Promise.resolve(null)],
  ['cannot be looked at', () => Promise.reject(new Error('The database is unreachable.'))],
])('a turn that %s is read again', async (_, answer) => {
  const kept = createKeptTurns();
  kept.keep(place.turnId, createKnown());
  const hold = toHold();
  const memory = await kept.take(createDatabase(answer), place, hold);
  expect(memory.find(3)).toBeNull();
  expect(hold.isTaken).toBe(false);
});

test.each([
  ['was not kept', { ...place, turnId: newId() }],
  ['has gone on elsewhere', { ...place, iteration: 4 }],
])('a turn that %s is read, and not looked at before', async (_, other) => {
  const kept = createKeptTurns();
  kept.keep(place.turnId, createKnown());
  const database = createDatabase(() => Promise.resolve(unchanged));
  const memory = await kept.take(database, other, toHold());
  expect(memory.find(other.iteration)).toBeNull();
  expect(database.asked).toEqual([]);
});

test('a turn is kept for one part', async () => {
  const kept = createKeptTurns();
  kept.keep(place.turnId, createKnown());
  const database = createDatabase(() => Promise.resolve(unchanged));
  await kept.take(database, place, toHold());
  const again = await kept.take(database, place, toHold());
  expect(again.find(3)).toBeNull();
});
