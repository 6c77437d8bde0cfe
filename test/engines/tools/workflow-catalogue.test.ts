import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createWorkflowTargets,
  loadWorkflowCatalogue,
  parseWorkflowCatalogue,
} from '../../../src/engines/tools/workflow-catalogue.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

const refund = {
  workflowType: 'refundOrder',
  taskQueue: 'payments',
  description: 'Pays an order back.',
  input: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
  timeoutMs: 30_000,
};

function parse(workflows: unknown) {
  return parseWorkflowCatalogue(JSON.stringify({ workflows }), '/etc/workflows.json');
}

describe('a workflow catalogue', () => {
  test('returns each entry with its defaults', () => {
    const catalogue = parse({ refund, plain: { workflowType: 'plain', taskQueue: 'main' } });

    expect(catalogue.get('refund')).toEqual({ id: 'refund', detach: false, ...refund });
    expect(catalogue.get('plain')).toEqual({
      id: 'plain',
      workflowType: 'plain',
      taskQueue: 'main',
      description: '',
      input: { type: 'object' },
      detach: false,
      timeoutMs: null,
    });
  });

  test.each([
    ['a missing task queue', { refund: { workflowType: 'refundOrder' } }, 'workflows.refund.taskQueue'],
    [
      'an unknown field',
      { refund: { ...refund, queue: 'x' } },
      'workflows.refund.queue: unknown field: expected one of',
    ],
    ['a time that is too short', { refund: { ...refund, timeoutMs: 1 } }, 'workflows.refund.timeoutMs'],
    ['a schema of no object', { refund: { ...refund, input: { type: 'string' } } }, 'workflows.refund.input'],
    ['a schema that is none', { refund: { ...refund, input: 'text' } }, 'workflows.refund.input'],
    ['a name with a space', { 'pay back': refund }, 'the name "pay back" may hold'],
    ['an entry that is no object', { refund: 1 }, 'workflows.refund'],
    ['a list of entries', [refund], 'workflows'],
  ])('names the file and the field of %s', (_, workflows, place) => {
    expect(() => parse(workflows)).toThrow('The workflow catalogue /etc/workflows.json cannot be used: ');
    expect(() => parse(workflows)).toThrow(place);
  });

  test('throws when its file is missing or not JSON', async () => {
    expect(() => parseWorkflowCatalogue('{', '/etc/workflows.json')).toThrow('it is not JSON');
    await expect(loadWorkflowCatalogue('/no/such/file.json')).rejects.toThrow(
      'The workflow catalogue /no/such/file.json cannot be used: it cannot be read',
    );
  });

  test('is read from a file, and is empty without one', async () => {
    const file = path.join(createTemporaryFolder(), 'workflows.json');
    writeFileSync(file, JSON.stringify({ workflows: { refund } }));

    expect([...(await loadWorkflowCatalogue(file)).keys()]).toEqual(['refund']);
    expect((await loadWorkflowCatalogue(undefined)).size).toBe(0);
  });

  test('offers the same workflows to every workspace', async () => {
    const targets = createWorkflowTargets(parse({ refund }));

    expect(await targets.find('one', 'refund')).toMatchObject({ workflowType: 'refundOrder' });
    expect(await targets.find('two', 'other')).toBeNull();
    expect((await targets.list('two')).map(({ id }) => id)).toEqual(['refund']);
  });
});
