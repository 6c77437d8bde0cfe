import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import {
  findTask,
  listEventTypes,
  toTaskTree,
  type TaskNode,
} from '../../../../console/src/screens/routines/task-tree.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';

const examples = new URL('../../../../examples/routines/', import.meta.url);
const read = (name: string) => parse(readFileSync(new URL(name, examples), 'utf8')) as JsonObject;

function listAll(tasks: readonly TaskNode[]): TaskNode[] {
  return tasks.flatMap((task) => [task, ...listAll(task.groups.flatMap((group) => group.tasks))]);
}

function resolve(document: JsonObject, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], document);
}

describe('the tasks of a document', () => {
  test.each(readdirSync(examples))('%s: each has the path at which the document has it', (name) => {
    const document = read(name);
    const tree = toTaskTree(document);
    const tasks = listAll(tree);
    expect(tasks.length).toBeGreaterThan(0);
    for (const task of tasks) {
      expect(resolve(document, task.path)).toBe(task.definition);
      expect(findTask(tree, task.path)).toBe(task);
      expect(task.kind).not.toBe('task');
    }
  });

  test('branches of a fork run at the same time, and handlers of errors have a label', () => {
    const [fork] = toTaskTree(read('fork.yaml'));
    expect(fork?.isParallel).toBe(true);
    expect(fork?.groups.map(({ tasks }) => tasks[0]?.path)).toEqual([
      '/do/0/both/fork/branches/0/slow',
      '/do/0/both/fork/branches/1/fast',
    ]);
    const [work] = toTaskTree(read('try.yaml'));
    expect(work?.groups.map(({ label }) => label)).toEqual([
      null,
      'on an error with status 503, after retries',
    ]);
  });

  test('says what tasks do, where switches lead, and what events are waited for', () => {
    const [route, queue] = toTaskTree(read('switch.yaml'));
    expect(route?.cases).toEqual([
      { name: 'urgent', when: '.priority == "high"', then: 'page' },
      { name: 'known', when: '.priority == "low"', then: 'queue' },
      { name: 'otherwise', when: null, then: 'exit' },
    ]);
    expect(queue).toMatchObject({ kind: 'set', text: 'handled', then: 'end' });
    const [hear] = toTaskTree(read('listen-any.yaml'));
    expect(listEventTypes(hear?.definition ?? {})).toEqual([
      'org.example.order.placed',
      'org.example.order.paid',
    ]);
  });

  test('what is no document has none', () => {
    for (const given of [{}, { do: {} }, { do: ['x', null, { a: 1 }] }] as JsonObject[])
      expect(toTaskTree(given)).toEqual([]);
  });
});
