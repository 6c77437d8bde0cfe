import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspaceRepository } from '../../../../src/modules/workspaces/workspace-repository.ts';
import { startApi, type Api } from '../../../labs/api-lab.ts';
import { runCli } from '../../../labs/run-cli.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ retentionDays: 90 });
});
afterAll(() => api.stop());

test('a key of any scope reads the settings that hold for its workspace', async () => {
  const key = await api.createKey(api.workspaceId, ['inbox:read']);
  const read = async () => (await api.call('GET', '/api/workspace', { key })).data.workspace;
  expect(await read()).toMatchObject({
    ...{ id: api.workspaceId, retentionDays: 90, approval: 'never' },
    ...{ startTimeoutMs: 600_000, maxRunningTurns: null },
  });
  const workspaces = createWorkspaceRepository(api.database.system);
  await workspaces.setRetention(api.workspaceId, 30);
  await workspaces.setApproval(api.workspaceId, 'ask');
  await workspaces.setStartTimeout(api.workspaceId, 5_000);
  await workspaces.setTurnShare(api.workspaceId, { maxRunningTurns: 7 });
  expect(await read()).toMatchObject({
    ...{ retentionDays: 30, approval: 'ask', startTimeoutMs: 5_000, maxRunningTurns: 7 },
  });
});

test('a key reads the settings of its own workspace alone', async () => {
  const other = await api.createWorkspace();
  const { data } = await api.call('GET', '/api/workspace', { key: other.key });
  expect(data.workspace.id).not.toBe(api.workspaceId);
});

test('the command shows the settings of the workspace of its key', async () => {
  const { workspaceId, key } = await api.createWorkspace();
  const environment = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: key };
  const show = (...options: string[]) => runCli(['workspace', 'show', ...options], { environment });
  const standard = await show();
  expect(standard.code).toBe(0);
  expect(standard.stdout).toContain(`${workspaceId}  `);
  expect(standard.stdout).toContain('  retention      90 days\n  approval       never: none is asked for\n');
  expect(standard.stdout).toContain('  start timeout  600 s\n  running turns  no limit\n');
  const workspaces = createWorkspaceRepository(api.database.system);
  await workspaces.setApproval(workspaceId, 'always_ask');
  await workspaces.setTurnShare(workspaceId, { maxRunningTurns: 7 });
  expect((await show()).stdout).toContain('always_ask: calls that change something, each one\n');
  expect(JSON.parse((await show('--json')).stdout)).toMatchObject({
    ...{ id: workspaceId, retentionDays: 90, approval: 'always_ask', maxRunningTurns: 7 },
  });
});
