import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createWorkflowTargets,
  parseWorkflowCatalogue,
} from '../../../src/engines/tools/workflow-catalogue.ts';
import { startApi, type Api } from '../../labs/api-lab.ts';

const catalogue = {
  workflows: { refund: { workflowType: 'refundOrder', taskQueue: 'payments', description: 'Pays back.' } },
};
let api: Api;

beforeAll(async () => {
  const workflowTypes = createWorkflowTargets(parseWorkflowCatalogue(JSON.stringify(catalogue), 'test'));
  api = await startApi({ workflowTypes });
});

afterAll(() => api.stop());

test('the workflow types of the operator are listed without their task queues', async () => {
  const { status, data } = await api.call('GET', '/api/workflow-types');

  expect(status).toBe(200);
  expect(data).toEqual({
    workflowTypes: [
      { id: 'refund', description: 'Pays back.', input: { type: 'object' }, detach: false, timeoutMs: null },
    ],
  });
});

test('a key without the scope for agents cannot list them', async () => {
  const key = await api.createKey(api.workspaceId, ['conversations:read']);

  expect((await api.call('GET', '/api/workflow-types', { key })).status).toBe(403);
});
