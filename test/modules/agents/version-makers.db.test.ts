import { beforeAll, expect, test } from 'vitest';
import type { AgentVersion } from '../../../src/domain/agent.ts';
import { plainAgent, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

const calculate = {
  ...{ type: 'function', name: 'calculate', description: 'Calculates.', schema: { type: 'object' } },
  config: { functionName: 'calculate' },
};

async function listMakers(agentId: string): Promise<AgentVersion['madeBy'][]> {
  const { data } = await api.call('GET', `/api/agents/${agentId}/versions`);
  return (data as unknown as { versions: AgentVersion[] }).versions.map(({ madeBy }) => madeBy);
}

test('each version has the person or the key that made it, whatever it changed', async () => {
  const ofAnn = await api.createKey(api.workspaceId, ['agents:read', 'agents:write'], { actsFor: 'Ann' });
  const created = await api.call('POST', '/api/agents', { body: plainAgent });
  const path = `/api/agents/${created.data.agent.id}`;
  const call = async (request: string, body?: object, key = ofAnn) => {
    const [method = '', part = ''] = request.split(' ');
    const answer = await api.call(method, `${path}${part}`, { key, ...(body && { body }) });
    expect(answer.status).toBeLessThan(300);
    return answer.data;
  };
  await call('PATCH ', { instructions: 'Be short.' });
  const added = await call('POST /tools', calculate);
  const toolPath = `/tools/${(added as unknown as { tool: { id: string } }).tool.id}`;
  await call(`PATCH ${toolPath}`, { timeoutMs: 5_000 });
  await call('PATCH ', { tools: [calculate, { ...calculate, name: 'compute' }] }, api.key);
  await call(`DELETE ${toolPath}`);

  const makers = await listMakers(created.data.agent.id);
  const ann = { type: 'person', person: 'Ann', agentId: null, turnId: null };
  const key = { type: 'key', person: null, agentId: null, turnId: null };
  expect(makers).toMatchObject([ann, key, ann, ann, ann, key]);
  expect(makers.map((maker) => maker?.apiKeyId)).toEqual([
    ...[ofAnn, api.key, ofAnn, ofAnn, ofAnn, api.key].map((text) => text.split('_')[1]),
  ]);
  const one = await api.call('GET', `${path}/versions/2`);
  expect((one.data as unknown as { version: AgentVersion }).version.madeBy).toMatchObject(ann);
});

test('a version of before makers were stored has none', async () => {
  const created = await api.call('POST', '/api/agents', { body: plainAgent });
  const agentId = created.data.agent.id;
  await api.database.system('agent_versions').where({ agent_id: agentId }).update({ made_by: null });
  expect(await listMakers(agentId)).toEqual([null]);
});
