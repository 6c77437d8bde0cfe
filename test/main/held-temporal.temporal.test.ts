import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createHoldfastClient,
  type HoldfastClient,
} from '../../src/clients/client/create-holdfast-client.ts';
import { getInstallationId } from '../../src/platform/database/installation-repository.ts';
import { loadConfig } from '../../src/main/config.ts';
import { connectEngine } from '../../src/main/connect-engine.ts';
import { createApi, type HttpApi } from '../../src/main/create-api.ts';
import { createDataConverter } from '../../src/platform/temporal/data-converter.ts';
import { eventually } from '../labs/eventually.ts';
import { createLabKey } from '../labs/lab-api.ts';
import { calculate } from '../labs/lab-tools.ts';
import { temporalAddress } from '../labs/temporal.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts';

let lab: TurnLab;
let proxy: TcpProxy;
let api: HttpApi;
let client: HoldfastClient;

/** The names of the calls of the API to which Temporal has not answered. */
const underWay = new Set<string>();

/** Notes a call while it is under way. */
function watchCall<Arguments extends unknown[]>(
  name: string,
  call: (...callArguments: Arguments) => Promise<void>,
) {
  return (...callArguments: Arguments) => {
    underWay.add(name);
    return call(...callArguments).finally(() => underWay.delete(name));
  };
}

beforeAll(async () => {
  [lab, proxy] = await Promise.all([startTurnLab(), startTcpProxy(`tcp://${temporalAddress()}`)]);
  const environment = { ...lab.environment, TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}`, PORT: '0' };
  const config = loadConfig(environment);
  const installationId = await getInstallationId(lab.database.system);
  const dataConverter = createDataConverter({ ...config, installationId });
  api = await createApi({
    ...{ config, databaseUrl: lab.databaseUrl, logger: pino({ level: 'silent' }) },
    connect: ({ toReport }) =>
      connectEngine({
        ...{ config, dataConverter, taskQueue: lab.taskQueue },
        toReport: (name, call) => toReport(name, watchCall(name, call)),
      }),
  });
  const [{ url: baseUrl }, apiKey] = await Promise.all([api.listen(), createLabKey(lab)]);
  client = createHoldfastClient({ baseUrl, apiKey });
});

afterAll(async () => {
  await api.close();
  await proxy.close();
  await lab.close();
});

beforeEach(() => {
  proxy.hold();
  return () => proxy.release();
});

/** Lets Temporal answer, and sweeps as if all that is stored were old. A call that ended meanwhile is repeated by the sweep. */
async function release(turnId: string): Promise<void> {
  const { system } = lab.database;
  const longAgo = new Date(Date.now() - 60_000);
  proxy.release();
  await eventually(
    () => underWay,
    ({ size }) => size === 0,
  );
  await system('turns').where({ id: turnId }).update({ started_at: longAgo });
  await system('pending_actions')
    .where({ turn_id: turnId })
    .whereNotNull('decided_at')
    .update({ decided_at: longAgo });
  await lab.sweep();
}

test('a message is accepted while Temporal does not answer, and its turn runs afterwards', async () => {
  const { conversationId, reply } = await lab.scene();
  reply({ text: 'Hello.' });
  const { id } = await client.turns.start({ conversationId, message: 'Hi.' });

  expect([...underWay]).toEqual(['startTurn']);
  await release(id);
  expect(await lab.waitForOutcome(id)).toMatchObject({ outcome: 'completed', answer: 'Hello.' });
});

test('a decision is accepted while Temporal does not answer, and its turn continues afterwards', async () => {
  const scene = await lab.scene({ tools: [{ ...calculate, settings: { approval: 'ask' } }] });
  scene.reply(
    { toolCalls: [{ name: 'calculate', arguments: { expression: '20 + 3' } }] },
    { text: 'It is 23.' },
  );
  const turnId = await scene.say('What is 20 + 3?');
  const [action] = await lab.waitForActions(turnId);
  const decided = await client.pendingActions.decide(action?.id ?? '', { decision: 'approve' });

  expect(decided.status).toBe('approved');
  expect([...underWay]).toEqual(['notifyDecision']);
  await release(turnId);
  expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed', answer: 'It is 23.' });
});

test('a message that interrupts is accepted while Temporal does not answer, and answered afterwards', async () => {
  const scene = await lab.scene();
  const { conversationId } = scene;
  scene.reply({ text: 'I am ', hang: true }, { text: 'Stopped.' });
  const turnId = await scene.say('Go.');
  await scene.waitForRequest(1);
  const { id } = await client.turns.start({ conversationId, message: 'Stop.', onBusy: 'interrupt' });

  expect([...underWay]).toEqual(['cancelTurn']);
  await release(turnId);
  expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'cancelled' });
  expect(await lab.waitForOutcome(id)).toMatchObject({ outcome: 'completed', answer: 'Stopped.' });
});
