import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/domain/json.ts';
import { RoutineError } from '../../../src/domain/routine-error.ts';
import { checkRoutineDocument } from '../../../src/modules/routines/documents/check-document.ts';
import { parseRoutineDocument } from '../../../src/modules/routines/documents/parse-document.ts';
import { createMemoryGround, playDocument } from './memory-ground.ts';

async function read(name: string): Promise<JsonObject> {
  const document = parseRoutineDocument(
    await readFile(new URL(`../../../examples/routines/${name}.yaml`, import.meta.url), 'utf8'),
  );
  await checkRoutineDocument(document);
  return document;
}

const outcomes: [name: string, input: JsonValue, output: JsonValue][] = [
  [
    'set',
    {
      order: {
        net: 10,
        lines: [
          { name: 'a', count: 2, each: 3 },
          { name: 'b', count: 1, each: 4 },
        ],
      },
    },
    { gross: 12, items: 10, from: 'set' },
  ],
  ['do', {}, { count: 2, steps: ['first', 'second'] }],
  ['switch', { priority: 'high' }, { handled: 'paged', by: 'last' }],
  ['switch', { priority: 'low' }, { handled: 'queued' }],
  ['switch', { priority: 'none' }, { priority: 'none' }],
  ['for', { items: [4, 7, 100] }, { sum: 11, seen: [0, 1] }],
  ['fork', { of: 2 }, { names: ['slow', 'fast'], of: 2 }],
  ['compete', {}, { winner: 'fast' }],
  ['try', {}, { title: 'Busy', where: '/do/0/work/try/0/refuse' }],
  ['wait', {}, { waited: true }],
  ['schemas', { name: 'Ada' }, { before: 'Hello, Ada', now: 'Hello, Ada' }],
  ['timeout', {}, { outcome: 408 }],
  ['functions', { value: 4 }, { called: 'calculate', with: { expression: '8 + 1' } }],
];

test.each(outcomes)('runs the example %s with %j', async (name, input, expected) => {
  const ground = createMemoryGround({
    call: ({ call, arguments: given }) => ({ called: call, with: given }),
  });
  const { output } = await playDocument(await read(name), input, ground);
  expect(output).toEqual(expected);
});

test('ends a run with the problem that a task raises', async () => {
  const run = playDocument(await read('raise'), { count: 0 });
  await expect(run).rejects.toThrow(RoutineError);
  await expect(run).rejects.toMatchObject({
    problem: { type: 'https://examples.test/errors/empty', status: 400, detail: 'there are 0 items' },
  });
});

test('refuses an input that does not fit the schema of the routine', async () => {
  await expect(playDocument(await read('schemas'), {})).rejects.toMatchObject({
    problem: { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/validation', status: 400 },
  });
});

const header = { dsl: '1.0.3', namespace: 'test', name: 'test', version: '1.0.0' };

function play(tasks: JsonObject[], input: JsonValue = {}, ground = createMemoryGround()) {
  return playDocument({ document: header, do: tasks }, input, ground);
}

test('the variables of the standard have the data of their task', async () => {
  const { output, context } = await play(
    [
      {
        one: {
          input: { from: '.inner' },
          set: {
            input: '${ $input }',
            raw: '${ $task.input }',
            name: '${ $task.name }',
            reference: '${ $task.reference }',
            workflow: '${ $workflow.input }',
            runtime: '${ $runtime.name }',
          },
          output: { as: '. + { rawOutput: $task.output.name }' },
          export: { as: '{ kept: $output.name, at: ($task.startedAt.epoch.seconds | type) }' },
        },
      },
    ],
    { inner: 5 },
  );
  expect(output).toEqual({
    ...{ input: 5, raw: { inner: 5 }, name: 'one', reference: '/do/0/one', rawOutput: 'one' },
    ...{ workflow: { inner: 5 }, runtime: 'holdfast' },
  });
  expect(context).toEqual({ kept: 'one', at: 'number' });
});

test('a task that emits an event answers it', async () => {
  const { output } = await play([
    {
      tell: {
        emit: { event: { with: { type: 'test.told', source: 'https://a.test', data: { a: '${ 1 + 1 }' } } } },
      },
    },
  ]);
  expect(output).toMatchObject({ type: 'test.told', source: 'https://a.test', data: { a: 2 } });
});

test.each([
  ['https://serverlessworkflow.io/spec/1.0.0/errors/communication', true],
  ['https://serverlessworkflow.io/spec/1.0.3/errors/communication', true],
  ['https://serverlessworkflow.io/dsl/errors/types/communication', true],
  ['https://serverlessworkflow.io/spec/1.0.0/errors/runtime', false],
  ['https://a.test/errors/communication', false],
])('an error of communication is caught as %s: %s', async (type, isCaught) => {
  const raised = { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication', status: 404 };
  const run = play([
    {
      guarded: {
        try: [{ fail: { raise: { error: raised } } }],
        catch: {
          errors: { with: { type, status: 404 } },
          as: 'problem',
          do: [{ keep: { set: { at: '${ $problem.instance }' } } }],
        },
      },
    },
  ]);
  if (isCaught) expect((await run).output).toEqual({ at: '/do/0/guarded/try/0/fail' });
  else await expect(run).rejects.toMatchObject({ problem: { status: 404 } });
});

const told: JsonObject[] = [
  { type: 'order.placed', source: 'https://a.test', subject: 'order-17', data: { total: 5, id: 'a' } },
  { type: 'order.paid', source: 'https://a.test', data: { id: 'b' } },
  { type: 'order.paid', source: 'https://a.test', data: { id: 'a' } },
  { type: 'order.sent', source: 'https://a.test', data: { id: 'a' } },
];
const placed = told[0]?.data;

const listened: [what: string, to: JsonObject, output: JsonValue][] = [
  ['one event', { one: { with: { type: 'order.sent' } } }, [{ id: 'a' }]],
  ['an attribute by a pattern', { one: { with: { subject: 'order-[0-9]+' } } }, [placed ?? null]],
  [
    'no attribute of which a pattern matches a part',
    { one: { with: { type: 'order.(paid|pla)' } } },
    [{ id: 'b' }],
  ],
  ['data by an expression', { one: { with: { data: '${ .total > 4 }' } } }, [placed ?? null]],
  [
    'any of several',
    { any: [{ with: { type: 'order.paid' } }, { with: { type: 'order.sent' } }] },
    [{ id: 'b' }],
  ],
  ['any until an expression holds', { any: [], until: 'length == 2' }, [placed ?? null, { id: 'b' }]],
  [
    'all, in the order in which they come',
    { all: [{ with: { type: 'order.sent' } }, { with: { type: 'order.paid' } }] },
    [{ id: 'b' }, { id: 'a' }],
  ],
  [
    'events that belong together',
    { one: { with: { type: 'order.paid' }, correlate: { order: { from: '.data.id', expect: 'a' } } } },
    [{ id: 'a' }],
  ],
];

test.each(listened)('a task listens to %s', async (_, to, output) => {
  const run = await play([{ hear: { listen: { to } } }], {}, createMemoryGround({ events: [...told] }));
  expect(run.output).toEqual(output);
});

test('a list goes on where the directive of a task says, within its own scope', async () => {
  const add = (color: string, then?: string) => ({
    set: { colors: `\${ .colors + ["${color}"] }` },
    ...(then === undefined ? {} : { then }),
  });
  const jumps = await play([
    { red: add('red', 'green') },
    { blue: add('blue', 'end') },
    { green: add('green', 'blue') },
  ]);
  expect(jumps.output).toEqual({ colors: ['red', 'green', 'blue'] });
  const exits = await play([
    { inner: { do: [{ red: add('red', 'exit') }, { blue: add('blue') }] } },
    { green: add('green') },
  ]);
  expect(exits.output).toEqual({ colors: ['red', 'green'] });
  const ends = await play([
    { inner: { do: [{ red: add('red', 'end') }, { blue: add('blue') }] } },
    { green: add('green') },
  ]);
  expect(ends.output).toEqual({ colors: ['red'] });
});

test('a loop has the names of the standard without names of its own', async () => {
  const { output } = await play(
    [
      {
        loop: { for: { in: '.colors' }, do: [{ keep: { set: { seen: '${ .seen + [[$item, $index]] }' } } }] },
      },
    ],
    { colors: ['red', 'green'] },
  );
  expect(output).toEqual({
    seen: [
      ['red', 0],
      ['green', 1],
    ],
  });
});

test('a switch without a case that matches goes on as its task says', async () => {
  const tasks = [
    { choose: { switch: [{ red: { when: '.color == "red"', then: 'paint' } }], then: 'end' } },
    { paint: { set: { painted: true } } },
  ];
  expect((await play(tasks, { color: 'yellow' })).output).toEqual({ color: 'yellow' });
  expect((await play(tasks, { color: 'red' })).output).toEqual({ painted: true });
});
