import { beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/domain/scope.ts';
import { openConversation, startTurn, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { toDocument } from '../../labs/routine-scene.ts';

let api: Api;
/** The id of a run of a routine, which is that of its turn too, and the id of an ordinary turn. */
let ids: { run: string; turn: string };
beforeAll(async () => {
  api = await shareApi();
  const { agentId, conversationId } = await openConversation(api);
  const document = toDocument('own', '  - rest: { wait: { hours: 1 } }');
  const { routine } = (await api.call('POST', '/api/routines', { body: { agentId, document } })).data;
  const { data } = await api.call('POST', `/api/routines/${routine.id}/runs`, { body: {} });
  const { run } = data as unknown as { run: { id: string } };
  ids = { run: run.id, turn: await startTurn(api, conversationId) };
});

const requests = [
  ['GET', '', 'routines:read', 'conversations:read'],
  ['GET', '/events', 'routines:read', 'conversations:read'],
  ['POST', '/cancel', 'routines:write', 'conversations:write'],
] as const satisfies [string, string, Scope, Scope][];

test.each(requests)('%s of a turn%s that stands for a run needs %s too', async (...request) => {
  const [method, path, ofRuns, ofTurns] = request;
  const call = async (id: string, scopes: Scope[]) => {
    const key = await api.createKey(api.workspaceId, scopes);
    const headers = { accept: 'application/json' };
    return api.call(method, `/api/turns/${id}${path}`, { key, headers });
  };
  const refused = await call(ids.run, [ofTurns]);
  expect([refused.status, refused.error]).toMatchObject([
    403,
    { code: 'FORBIDDEN', details: { missingScopes: [ofRuns] } },
  ]);
  const row = await api.database.system('turns').where({ id: ids.run }).first<{ status: string }>('status');
  expect(row.status).toBe('running');
  expect((await call(ids.turn, [ofTurns])).status).toBeLessThan(300);
  expect((await call(ids.run, [ofTurns, ofRuns])).status).toBeLessThan(300);
});
