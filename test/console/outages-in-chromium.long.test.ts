import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../src/main/dev/ports.ts';
import { startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { startLabApiProcess } from '../labs/lab-api.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let chromium: ConsoleLab;
let lab: TurnLab;

beforeAll(async () => {
  chromium = await startConsole();
  lab = await startTurnLab({ worker: false });
});
afterAll(async () => {
  await chromium.stop();
  await lab.close();
});

test('a worker that is killed while the playground streams: the page shows the answer of the next one, once', async () => {
  const api = await startLabApiProcess(lab);
  const first = await lab.startWorkerProcess();
  const scene = await lab.scene();
  scene.reply({ text: 'A piece that is lost with its worker', hang: true }, { text: 'The whole answer.' });
  const page = await chromium.open(api, `/playground?conversation=${scene.conversationId}`);
  await page.getByLabel('Message', { exact: true }).fill('Hello');
  await page.keyboard.press('Enter');
  await page.getByText('A piece that is lost').waitFor();
  await first.kill();
  const second = await lab.startWorkerProcess();
  await page.getByText('The whole answer.').waitFor();
  expect(await page.getByText('A piece that is lost').count()).toBe(0);
  expect(await page.getByText('The whole answer.').count()).toBe(1);
  await second.stop();
  await api.stop();
});

test('an API that is killed and started again under an open page: the page continues where it was', async () => {
  const PORT = String(await findFreePort());
  const api = await startLabApiProcess(lab, { PORT });
  const worker = await lab.startWorkerProcess();
  const scene = await lab.scene();
  const released = Promise.withResolvers<null>();
  scene.reply({ text: 'First.' }, { text: 'Second.', until: released.promise });
  const expected = [/Failed to load resource|ERR_/];
  const page = await chromium.open(api, `/playground?conversation=${scene.conversationId}`, { expected });
  const say = async (text: string) => {
    await page.getByLabel('Message', { exact: true }).fill(text);
    await page.keyboard.press('Enter');
  };
  await say('One');
  await page.getByRole('button', { name: 'Fork from here' }).waitFor();
  await say('Two');
  await scene.waitForRequest(2);
  await api.kill();
  await page.getByText('The connection was lost.').waitFor();
  const again = await startLabApiProcess(lab, { PORT });
  released.resolve(null);
  await page.getByText('Second.').waitFor();
  await page.getByText('The connection was lost.').waitFor({ state: 'hidden' });
  expect(await page.getByRole('article').count()).toBe(2);
  expect(await page.getByText('First.').count()).toBe(1);
  await worker.stop();
  await again.stop();
});
