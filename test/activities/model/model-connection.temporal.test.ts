import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConnection } from '../../../src/modules/connections/create-connection.ts';
import { updateConnection } from '../../../src/modules/connections/update-connection.ts';
import { loadConfig } from '../../../src/main/config.ts';
import { createServices, type Services } from '../../../src/main/create-services.ts';
import { createAgentRepository } from '../../../src/modules/agents/agent-repository.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createLogger } from '../../../src/main/logger.ts';
import { containing } from '../../labs/matchers.ts';
import type { LabScene } from '../../labs/turn-lab-scene.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startScriptedModel } from '../../servers/scripted-model.ts';

let lab: TurnLab;
let services: Services;

beforeAll(async () => {
  lab = await shareTurnLab();
  const config = loadConfig(lab.environment);
  services = await createServices({
    config,
    databaseUrl: lab.databaseUrl,
    logger: createLogger(config, 'api'),
  });
});

afterAll(async () => {
  await services.close();
  await lab.close();
});

const token = `plain${crypto.randomUUID()}`;

async function connect(scene: LabScene, { provider = 'compatible', endpoint = lab.model.baseUrl } = {}) {
  const connection = await createConnection(
    services,
    { workspaceId: lab.workspaceId, apiKeyId: newId() },
    {
      name: `Models ${newId()}`,
      provider,
      endpoint,
      auth: { type: 'bearer', token },
    },
  );
  await lab.database.inWorkspace(lab.workspaceId, (trx) =>
    createAgentRepository(trx).updateAgent(scene.agent.id, { modelConnectionId: connection.id }),
  );
  return connection;
}

test('a turn calls its model with the key of the connection and does not expose the key', async () => {
  const scene = await lab.scene();
  await connect(scene);
  scene.reply({ status: 401, body: { error: { message: `The key ${token} is wrong.` } } });
  const turn = await lab.waitForOutcome(await scene.say('Hello.'));
  expect(scene.requests()[0]?.headers.authorization).toBe(`Bearer ${token}`);
  expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'MODEL_AUTHENTICATION' } });
  const history = await lab.client.workflow.getHandle(`turn-${turn.id}`).fetchHistory();
  const payloads = JSON.stringify(history, (_name, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  );
  expect(JSON.stringify([turn, payloads])).not.toContain(token);
});

test('the answer of a turn whose model cannot be reached has no address, which operators find in the details', async () => {
  const gone = await startScriptedModel();
  await gone.close();
  const scene = await lab.scene();
  await connect(scene, { endpoint: gone.baseUrl });
  const turn = await lab.waitForOutcome(await scene.say('Hello.'));
  expect(turn).toMatchObject({
    outcome: 'failed',
    answer: 'The turn failed: the model cannot be reached, or did not answer in time. Try again later.',
    error: {
      code: 'MODEL_UNAVAILABLE',
      message: containing('could not be reached: the connection was refused'),
      details: { internal: containing(new URL(gone.baseUrl).host) },
    },
  });
});

test('a turn fails with a clear message when its connection is of another vendor or is revoked', async () => {
  const scene = await lab.scene();
  await connect(scene, { provider: 'openai' });
  const mismatched = await lab.waitForOutcome(await scene.say('Hello.'));
  expect(mismatched).toMatchObject({
    outcome: 'failed',
    error: {
      code: 'CONNECTION_PROVIDER_MISMATCH',
      message: 'Connection provider mismatch: expected compatible, got openai',
    },
  });
  const { id, name } = await connect(scene);
  await updateConnection(services, lab, { id, change: { status: 'revoked' } });
  const revoked = await lab.waitForOutcome(await scene.say('Hello again.'));
  expect(revoked).toMatchObject({
    outcome: 'failed',
    error: { code: 'CONNECTION_NOT_ACTIVE', message: `Connection ${name} is revoked. Please reconnect.` },
  });
  expect(scene.requests()).toEqual([]);
});
