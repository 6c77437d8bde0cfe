import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import { RoutineError } from '../../src/domain/routine-error.ts';
import { checkRoutineDocument } from '../../src/routines/check-document.ts';
import { parseRoutineDocument } from '../../src/routines/parse-document.ts';
import { createMemoryGround, playDocument } from './memory-ground.ts';

async function read(name: string): Promise<JsonObject> {
  const document = parseRoutineDocument(
    await readFile(new URL(`../../examples/routines/${name}.yaml`, import.meta.url), 'utf8'),
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
