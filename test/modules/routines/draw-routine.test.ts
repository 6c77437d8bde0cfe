import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { drawRoutine } from '../../../src/modules/routines/diagram/draw-routine.ts';
import { createDocumentThreads } from '../../../src/modules/routines/documents/document-threads.ts';

const header = { dsl: '1.0.0', namespace: 'test', name: 'test', version: '1.0.0' };

const node = /(n\d+) ?\["(.*)"\]$/;

/** Draws tasks; the edges of the answer have the names of tasks, and `*` for dots. */
function draw(tasks: JsonObject[]) {
  const { mermaid, svg } = drawRoutine({ document: header, do: tasks });
  const lines = mermaid.split('\n').map((line) => line.trim());
  const names = new Map(
    lines.flatMap((line) => {
      const [, id, name] = node.exec(line) ?? [];
      return id !== undefined && name !== undefined ? [[id, name] as const] : [];
    }),
  );
  const edges = lines.filter((line) => / --.*n\d+$/.test(line));
  return { svg, lines, edges: edges.map((edge) => edge.replaceAll(/n\d+/g, (id) => names.get(id) ?? '*')) };
}

/** Tasks that each choose one of two ways to the next one. */
function switches(count: number): JsonObject[] {
  const ways = [{ one: { when: '.a', then: 'continue' } }, { two: { when: '.b', then: 'continue' } }];
  return Array.from({ length: count }, (_, index) => ({ [`choose${index}`]: { switch: ways } }));
}

test('a document is drawn as Mermaid and as SVG, whose texts are escaped', () => {
  const tasks = [
    { '<one> & "two"': { set: { a: 1 } } },
    { loop: { for: { in: '.a' }, do: [{ in: { set: {} } }] } },
  ];
  const { lines, svg } = draw(tasks);
  expect(lines[0]).toBe('flowchart TD');
  expect(lines.join()).toContain('["#lt;one#gt; #amp; #quot;two#quot;"]');
  expect(svg).toMatch(/^<svg /);
  expect(svg).toContain('&lt;one&gt; &amp; &quot;two&quot;');
  expect(svg).not.toContain('<one>');
});

test('each task is drawn once, however many ways lead to it', () => {
  const { edges, lines } = draw(switches(10));
  expect(edges).toHaveLength(11);
  expect(edges[1]).toBe('choose0 --"one / two"--> choose1');
  expect(draw(switches(1_000)).lines.length - lines.length).toBe(990 * 2);
});

test('tasks that lead back are drawn', () => {
  const { edges } = draw([
    { first: { set: { a: 1 } } },
    { choose: { switch: [{ again: { when: '.a', then: 'first' } }, { other: { then: 'end' } }] } },
    { last: { set: { a: 1 }, then: 'choose' } },
  ]);
  expect(edges).toEqual([
    '* --> first',
    'first --> choose',
    'choose --"again"--> first',
    'choose --"other"--> *',
    'last --> choose',
  ]);
});

test('a task with a condition is passed by a way of its own', () => {
  const { edges } = draw([{ one: { if: '.a', set: { a: 1 }, then: 'end' } }, { two: { set: { a: 1 } } }]);
  expect(edges).toEqual(['* --> *', '* --".a"--> one', '* --> two', 'one --> *', 'two --> *']);
});

test('long names make no long drawing', () => {
  const name = 'n'.repeat(100_000);
  const tasks = Array.from({ length: 100 }, (_, index) => ({ [`t${index}`]: { set: {} } }));
  const { lines, svg } = draw([{ [name]: { do: tasks } }]);
  expect(lines.join('\n').length + svg.length).toBeLessThan(100_000);
});

test('a document that takes too long is refused with the limit', async () => {
  const { readDocument, drawDocument } = createDocumentThreads({ timeoutMs: 1 });
  const document = { document: header, do: switches(2_400) };
  const refusals = [readDocument('one', document), drawDocument('other', document)].map((refusal) =>
    refusal.catch((error: unknown) => error),
  );
  expect(await Promise.all(refusals)).toMatchObject([
    { code: 'INVALID_INPUT', message: 'document: cannot be read: it took longer than 1 ms' },
    { code: 'RATE_LIMITED', message: 'The routine cannot be drawn now: it took longer than 1 ms.' },
  ]);
});

test('texts that nest lists without an end are refused', async () => {
  const { readDocument } = createDocumentThreads();
  for (const text of ['['.repeat(20_000), '- '.repeat(20_000)])
    await expect(readDocument('workspace', text)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
