import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { allowPrograms } from '../../src/platform/database/migrate.ts';
import { createLogin } from '../labs/database-login.ts';
import { migrateToFuture } from '../labs/future-schema.ts';
import { startLabApiProcess } from '../labs/lab-api.ts';
import { startProgram } from '../labs/program.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

const workerProgram = fileURLToPath(new URL('../../src/main/worker.ts', import.meta.url));

async function openLab() {
  const lab = await startTurnLab({ worker: false });
  onTestFinished(lab.close);
  return lab;
}

async function startPrograms(lab: TurnLab) {
  const [worker, api] = await Promise.all([
    startProgram(workerProgram, { ...lab.environment, HOLDFAST_LOG_LEVEL: 'info' }),
    startLabApiProcess(lab, { HOLDFAST_LOG_LEVEL: 'info' }),
  ]);
  onTestFinished(async () => {
    await Promise.all([worker.stop(), api.stop()]);
  });
  return api;
}

async function holdTurn(lab: TurnLab, api: Awaited<ReturnType<typeof startPrograms>>) {
  const scene = await lab.scene();
  scene.reply({ text: 'Hello.' });
  return api.say(scene.agent.id, 'Hello!');
}

test('an older API and worker go on while a compatible migration is applied, and start after it', async () => {
  const lab = await openLab();
  const running = await startPrograms(lab);
  expect(await holdTurn(lab, running)).toMatchObject({ outcome: 'completed' });
  await migrateToFuture(lab.databaseUrl, true);
  expect(await holdTurn(lab, running)).toMatchObject({ outcome: 'completed' });

  const started = await startPrograms(lab);
  expect(await holdTurn(lab, started)).toMatchObject({ outcome: 'completed' });
});

test('an older API and worker refuse to start after a breaking migration', async () => {
  const lab = await openLab();
  await migrateToFuture(lab.databaseUrl, false);
  await expect(startLabApiProcess(lab, { HOLDFAST_LOG_LEVEL: 'info' })).rejects.toThrow(
    /newer version.*9999-future/,
  );
  await expect(
    startProgram(workerProgram, { ...lab.environment, HOLDFAST_LOG_LEVEL: 'info' }),
  ).rejects.toThrow(/newer version.*9999-future/);
});

test('an API and a worker hold a turn with a login that owns no table', async () => {
  const lab = await openLab();
  const login = await createLogin(lab.databaseUrl);
  onTestFinished(login.close);
  await allowPrograms(lab.databaseUrl, login.url);
  const api = await startPrograms({ ...lab, environment: { ...lab.environment, DATABASE_URL: login.url } });
  expect(await holdTurn(lab, api)).toMatchObject({ outcome: 'completed' });
});
