import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findFreePort } from '../../src/main/dev/ports.ts';
import { webhookEvents } from '../../src/domain/webhook.ts';
import { startLabApi } from '../labs/lab-api.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import { runTyped, typeCommand } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

const page = readPage('docs/webhooks.md');

/** The port of the page, which another program of the machine may use. */
const receiverPort = '4400';

test('the receiver and the request of docs/webhooks.md work as they are written', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await shareTurnLab();
  stack.defer(lab.close);
  const api = await startLabApi(lab);
  stack.defer(api.stop);
  const port = String(await findFreePort());
  const folder = createTemporaryFolder();
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  const receiver = page.blocks.find(({ file }) => file === 'receiver.ts')?.text ?? '';
  writeFileSync(path.join(folder, 'receiver.ts'), receiver.replace(receiverPort, port));

  const [create] = listCommands(page);
  const command = create?.command.replace(receiverPort, port) ?? '';
  const known = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key };
  const created = JSON.parse(await runTyped(command, { variables: known })) as {
    data: { secret: string };
  };
  const variables = { WEBHOOK_SECRET: created.data.secret };
  const running = typeCommand(`'${process.execPath}' receiver.ts`, { cwd: folder, variables });
  stack.use(running);
  const scene = await lab.scene();
  scene.reply({ text: 'Hello!' });
  const turnId = await scene.say('Hello');
  await running.printed(turnId);

  expect(running.output()).toMatch(/^turn\.settled \{/m);
});

test('docs/webhooks.md names every event', () => {
  const rows = [...readFileSync('docs/webhooks.md', 'utf8').matchAll(/^\| `([a-z_.]+)`/gm)].map(
    ([, name]) => name,
  );
  expect(rows).toEqual(webhookEvents);
});
