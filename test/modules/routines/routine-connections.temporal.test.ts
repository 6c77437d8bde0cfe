import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKeyRepository } from '../../../src/modules/workspaces/keys/api-key-repository.ts';
import type { Maker } from '../../../src/domain/resource.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createRoutine } from '../../../src/modules/routines/store-routine.ts';
import { connectIn } from '../../labs/connect-in.ts';
import { createRoutineScene, toDocument, type RoutineScene } from '../../labs/routine-scene.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startPetServer } from '../../servers/pet-server.ts';

let lab: TurnLab;
let pets: Awaited<ReturnType<typeof startPetServer>>;

beforeAll(async () => {
  [lab, pets] = await Promise.all([shareTurnLab(), startPetServer()]);
  await connectIn(lab, { name: 'pets', endpoint: pets.url, auth: { type: 'bearer', token: 'sk-pets-1' } });
});

afterAll(async () => {
  await pets.close();
  await lab.close();
});

function describePost(name: string): string {
  const endpoint = `{ uri: '${pets.url}/echo', authentication: { bearer: { use: pets } } }`;
  const tasks = `  - send: { call: http, with: { method: post, endpoint: ${endpoint}, body: { a: 1 } } }`;
  return toDocument(name, tasks, 'use: { secrets: [pets] }');
}

/** Stores a routine with a key of these scopes. */
async function storeWith(scene: RoutineScene, name: string, scopes: Scope[]) {
  const apiKeyId = newId();
  const secretHash = Buffer.alloc(32);
  await lab.database.inWorkspace(lab.workspaceId, (trx) =>
    createApiKeyRepository(trx).createApiKey({ id: apiKeyId, name, secretHash, scopes }),
  );
  const owner: Maker = { type: 'key', person: null, apiKeyId, agentId: null, turnId: null };
  const author = { workspaceId: lab.workspaceId, scopes };
  const document = describePost(name);
  const stored = await createRoutine(scene.dependencies, author, {
    agentId: scene.agent.id,
    document,
    owner,
  });
  return { id: stored.id, apiKeyId };
}

function changeKey(
  apiKeyId: string,
  change: (keys: ReturnType<typeof createApiKeyRepository>) => Promise<unknown>,
) {
  return lab.database.inWorkspace(lab.workspaceId, (trx) => change(createApiKeyRepository(trx)));
}

describe('a routine that names a connection', () => {
  test('is stored only by who may use connections, and by no agent', async () => {
    const scene = await createRoutineScene(lab);
    await expect(storeWith(scene, 'weak', ['routines:write'])).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { missingScopes: ['connections:write', 'agents:write'] },
    });
    const owner: Maker = {
      type: 'agent',
      person: null,
      apiKeyId: null,
      agentId: scene.agent.id,
      turnId: newId(),
    };
    const author = { workspaceId: lab.workspaceId, scopes: ['connections:write' as const] };
    const input = { document: describePost('of-agent'), owner };
    await expect(createRoutine(scene.dependencies, author, input)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  test.each([
    ['was revoked', (id: string) => changeKey(id, (keys) => keys.revokeApiKey(id))],
    ['lost the right', (id: string) => changeKey(id, (keys) => keys.grantScopes(id, ['routines:write']))],
  ])('sends nothing once the key that stored it %s', async (how, lose) => {
    const scene = await createRoutineScene(lab);
    const { id, apiKeyId } = await storeWith(scene, how.replaceAll(' ', '-'), [
      'routines:write',
      'agents:write',
    ]);
    expect(await scene.end(await scene.start(id))).toMatchObject({ status: 'completed' });
    const before = pets.requests.length;
    await lose(apiKeyId);
    expect(await scene.end(await scene.start(id))).toMatchObject({
      status: 'faulted',
      error: { status: 403, title: 'RIGHTS_LOST', detail: expect.stringContaining(apiKeyId) as string },
    });
    expect(pets.requests.length).toBe(before);
  });

  test('asks who approves its requests with the name of the connection, and obeys the allowlist of its agent', async () => {
    const request = {
      type: 'function' as const,
      name: 'http_request',
      description: 'Requests.',
      schema: { type: 'object' },
    };
    const tool = { ...request, config: { functionName: 'http_request' } };
    const asking = await createRoutineScene(lab, {
      tools: [{ ...tool, settings: { approval: 'always_ask' } }],
    });
    const runId = await asking.start((await asking.store(describePost('asking'))).id);
    await asking.until(runId, ({ steps }) => steps.some(({ state }) => state === 'waiting'));
    const [action] = (await lab.readTurn(runId)).pendingActions;
    expect(action?.connections).toEqual(['pets']);
    expect(JSON.stringify(action)).not.toContain('sk-pets-1');
    await lab.decide(action?.id ?? '', { decision: 'approve' });
    expect(await asking.end(runId)).toMatchObject({ status: 'completed' });

    const rules = {
      toolPolicies: {},
      canaryTokens: [],
      toolAllowlist: ['other'],
      onBlocked: 'continue' as const,
    };
    const blocked = await createRoutineScene(lab, { tools: [tool], rules });
    const before = pets.requests.length;
    expect(
      await blocked.end(await blocked.start((await blocked.store(describePost('blocked'))).id)),
    ).toMatchObject({
      error: { status: 403, title: 'TOOL_BLOCKED' },
    });
    expect(pets.requests.length).toBe(before);
  });
});
