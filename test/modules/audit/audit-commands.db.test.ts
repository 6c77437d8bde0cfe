import { expect, test } from 'vitest';
import { createAuditLog } from '../../../src/platform/outbox/audit-log.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { runCli } from '../../labs/run-cli.ts';
import { shareApi } from '../../labs/shared-api.ts';

test('the command lists the events that its options choose, as lines and as JSON', async () => {
  const api = await shareApi();
  const environment = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key };
  const list = (...options: string[]) => runCli(['audit', 'list', ...options], { environment });
  const by = { apiKeyId: newId(), actingFor: 'ada' };
  await api.database.inWorkspace(api.workspaceId, async (trx) => {
    const log = createAuditLog(trx);
    await log.record({ type: 'tool.blocked', subjectId: newId(), payload: {} });
    for (let count = 0; count < 3; count++)
      await log.record({ type: 'agent.configured', subjectId: null, payload: {}, by });
  });
  const { code, stdout } = await list('--person', 'ada', '--limit', '2');
  expect(code).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ +/)[2]),
  ).toEqual(['agent.configured', 'agent.configured']);
  const ofKey = await list('--api-key', by.apiKeyId, '--limit', 'all', '--json');
  expect(JSON.parse(ofKey.stdout)).toMatchObject(Array.from({ length: 3 }, () => ({ payload: { by } })));
  expect((await list('--person', 'ada', '--type', 'tool.blocked')).stdout).toBe('No event fits.\n');
  expect((await list('--limit', 'none')).code).toBe(1);
});
