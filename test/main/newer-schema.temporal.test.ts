import { expect, onTestFinished, test } from 'vitest';
import { allowPrograms } from '../../src/platform/database/migrate.ts';
import { openConversation, startApi, startTurn } from '../labs/api-lab.ts';
import { createLogin } from '../labs/database-login.ts';
import { migrateToFuture } from '../labs/future-schema.ts';
import { startLabApiProcess } from '../labs/lab-api.ts';
import { startLocalWorker } from '../labs/turn-lab-worker.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

async function openLab(): Promise<TurnLab> {
  const lab = await startTurnLab({ worker: false });
  onTestFinished(lab.close);
  return lab;
}

async function holdTurn(lab: TurnLab) {
  const scene = await lab.scene();
  scene.reply({ text: 'Hello.' });
  return lab.waitForOutcome(await scene.say('Hello!'));
}

test('an older worker continues while a compatible migration is applied, and starts after it', async () => {
  const lab = await openLab();
  const running = await lab.startWorker();
  expect(await holdTurn(lab)).toMatchObject({ outcome: 'completed' });
  await migrateToFuture(lab.databaseUrl, true);
  expect(await holdTurn(lab)).toMatchObject({ outcome: 'completed' });
  await running.stop();
  await lab.startWorker();
  expect(await holdTurn(lab)).toMatchObject({ outcome: 'completed' });
});

test('an older API writes and reads agents, conversations and turns after a compatible migration', async () => {
  const api = await startApi(
    {},
    {},
    {
      toDatabaseUrl: async (url) => {
        await migrateToFuture(url, true);
        return url;
      },
    },
  );
  onTestFinished(api.stop);
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  expect(api.calls.started).toMatchObject([{ turnId }]);
  const { status, data } = await api.call('GET', `/api/turns/${turnId}`);
  expect([status, data.turn.id]).toEqual([200, turnId]);
});

test('an older API refuses to start after a breaking migration', async () => {
  const lab = await openLab();
  await migrateToFuture(lab.databaseUrl, false);
  await expect(startLabApiProcess(lab)).rejects.toThrow(/newer version.*9999-future/);
});

test('a worker holds a turn with a login that owns no table', async () => {
  const lab = await openLab();
  const login = await createLogin(lab.databaseUrl);
  onTestFinished(login.close);
  await allowPrograms(lab.databaseUrl, login.url);
  const worker = await startLocalWorker({ ...lab.environment, DATABASE_URL: login.url });
  onTestFinished(worker.stop);
  expect(await holdTurn(lab)).toMatchObject({ outcome: 'completed' });
});
