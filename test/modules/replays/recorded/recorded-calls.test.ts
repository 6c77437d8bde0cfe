import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/domain/json.ts';
import {
  createRecordedCalls,
  type RecordedCall,
  type RecordedCalls,
} from '../../../../src/modules/replays/recorded/recorded-calls.ts';

interface Made {
  tool: string;
  query: JsonObject;
}

/** A recorded call whose answer names it. */
function record({ tool, query }: Made, index: number): RecordedCall {
  return {
    ...{ id: `call-${index}`, modelCallId: `call_${index}`, name: tool, target: tool, arguments: query },
    ...{
      invalidArguments: null,
      status: 'succeeded',
      result: `answer ${index}`,
      resultBytes: 8,
      error: null,
    },
  };
}

const lookUp = (query: string): Made => ({ tool: 'look_up', query: { query } });

/** Asks for calls that a model made at once. */
function ask(recorded: RecordedCalls, ...made: Made[]): (string | null)[] {
  const matches = recorded.take(made.map(({ tool, query }) => ({ target: tool, input: query })));
  return matches.map((match) => match && `${match.match} ${match.call.result}`);
}

test('a changed call leaves the answer that it is shown to the call that asks for it', () => {
  const recorded = createRecordedCalls([lookUp('rain in Rome'), lookUp('sun in Oslo')].map(record));
  expect(ask(recorded, lookUp('sun in Rome'))).toEqual(['nearest answer 0']);
  expect(ask(recorded, lookUp('rain in Rome'))).toEqual(['exact answer 0']);
  expect(ask(recorded, lookUp('sun in Oslo'))).toEqual(['exact answer 1']);
});

test('of calls that are made at once the unchanged ones get their answers first', () => {
  const recorded = createRecordedCalls([lookUp('rain in Rome'), lookUp('snow')].map(record));
  expect(ask(recorded, lookUp('sun in Rome'), lookUp('rain in Rome'))).toEqual([
    'nearest answer 1',
    'exact answer 0',
  ]);
});

test('changed calls are shown different answers as long as there are some', () => {
  const recorded = createRecordedCalls([lookUp('a'), lookUp('b')].map(record));
  expect(ask(recorded, lookUp('x'), lookUp('y'))).toEqual(['nearest answer 0', 'nearest answer 1']);
  expect(ask(recorded, lookUp('z'))).toEqual(['nearest answer 0']);
});

test('a call that is made more often than it was recorded gets its last answer again', () => {
  const recorded = createRecordedCalls([lookUp('a'), lookUp('a'), lookUp('b')].map(record));
  expect(ask(recorded, lookUp('a'), lookUp('a'), lookUp('a'))).toEqual([
    'exact answer 0',
    'exact answer 1',
    'nearest answer 1',
  ]);
  expect(ask(recorded, lookUp('b'))).toEqual(['exact answer 2']);
});

test('a call that was shown to a changed one only is not listed as never asked for', () => {
  const recorded = createRecordedCalls([lookUp('a'), lookUp('b'), lookUp('c')].map(record));
  ask(recorded, lookUp('x'));
  ask(recorded, lookUp('b'));
  expect(recorded.listUnasked().map(({ id }) => id)).toEqual(['call-2']);
});

const made = fc.record({
  tool: fc.constantFrom('look_up', 'search', 'pay'),
  query: fc.oneof(
    fc.record({ query: fc.constantFrom('rain', 'rain in Rome', 'sun', 'sun in Oslo') }),
    fc.record({
      id: fc.integer({ min: 1, max: 3 }),
      deep: fc.record({ words: fc.constantFrom('a b', 'b c') }),
    }),
  ),
});

const edit = fc.constantFrom('keep', 'keep', 'change', 'remove', 'insert before', 'repeat' as const);

interface Edited {
  call: Made;
  isChanged: boolean;
}

/** Arguments that no recorded call has; some of them are close to recorded ones. */
function change({ tool, query }: Made, index: number): Made {
  return { tool, query: { ...query, changed: index } };
}

function applyEdit(call: Made, kind: string | undefined, index: number): Edited[] {
  const kept = { call, isChanged: false };
  const changed = { call: change(call, index), isChanged: true };
  if (kind === 'change') return [changed];
  if (kind === 'remove') return [];
  if (kind === 'insert before') return [changed, kept];
  return kind === 'repeat' ? [kept, kept] : [kept];
}

/** Recorded calls, and the replay of them after random edits, in groups of calls that are made at once. */
const replays = fc.array(fc.tuple(made, edit, fc.boolean()), { minLength: 1, maxLength: 10 }).chain((all) => {
  const edited = all.flatMap(([call, kind], index) => applyEdit(call, kind, index));
  return fc.record({
    recorded: fc.constant(all.map(([call]) => call)),
    replayed: fc.oneof(fc.constant(edited), fc.shuffledSubarray(edited, { minLength: edited.length })),
    breaks: fc.constant(all.map(([, , isBreak]) => isBreak)),
  });
});

function toGroups<Item>(items: Item[], breaks: boolean[]): Item[][] {
  const groups: Item[][] = [[]];
  for (const [index, item] of items.entries()) {
    groups.at(-1)?.push(item);
    if (breaks[index % breaks.length]) groups.push([]);
  }
  return groups;
}

test('an unchanged call always gets its own answer, whatever became of the others', () => {
  fc.assert(
    fc.property(replays, ({ recorded, replayed, breaks }) => {
      const calls = recorded.map(record);
      const answers = createRecordedCalls(calls);
      const toText = ({ tool, query }: Made) => JSON.stringify([tool, query]);
      // Equal calls are told apart by their order alone.
      const left = Map.groupBy(
        calls.map((call, index) => ({ call, index })),
        ({ index }) => toText(recorded[index] as Made),
      );
      for (const group of toGroups(replayed, breaks)) {
        const matches = answers.take(group.map(({ call }) => ({ target: call.tool, input: call.query })));
        for (const [index, { call, isChanged }] of group.entries()) {
          const own = isChanged ? undefined : left.get(toText(call))?.shift();
          if (own) expect(matches[index]).toEqual({ call: own.call, match: 'exact' });
          else if (isChanged)
            expect(matches[index]).toMatchObject({ match: 'nearest', call: { name: call.tool } });
        }
      }
    }),
    { numRuns: 500 },
  );
});
