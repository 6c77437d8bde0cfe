import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../src/main/dev/ports.ts';
import { createHoldfastClient } from '../../src/clients/client/index.ts';
import { eventually } from '../labs/eventually.ts';
import { startLabApi, type LabApi } from '../labs/lab-api.ts';
import { readAllSent, toText, type SentFrame } from '../labs/sent-events.ts';
import { shareTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import type { LabScene } from '../labs/turn-lab-scene.ts';
import { startWebhookScene } from '../labs/webhook-scene.ts';
import { typeCommand } from '../labs/typed-command.ts';
import { createClientProject } from './client-project.ts';
import { handlersPort, nextServer } from './page-programs.ts';
import { readPage } from './tool-pages.ts';

const { blocks } = readPage('docs/handlers.md');
const files = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [{ file, text }]));

let lab: TurnLab;
let api: LabApi;
let scene: LabScene;
beforeAll(async () => {
  lab = await shareTurnLab();
  api = await startLabApi(lab);
  scene = await lab.scene();
  const holdfast = createHoldfastClient({ baseUrl: api.url, apiKey: api.key });
  await holdfast.agents.update(scene.agent.id, { name: 'Support' });
});
afterAll(async () => {
  await api.stop();
  await lab.close();
});

function writeProject(port: string): string {
  const folder = createClientProject({
    entries: ['client', 'handlers'],
    packages: ['@types', '@hono', 'express', 'fastify', 'hono', 'zod'],
  });
  for (const { file, text } of [...files, nextServer]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), `${text.replaceAll(handlersPort, port)}\n`);
  }
  return folder;
}

describe.each(['server-hono.ts', 'server-express.ts', 'server-fastify.ts', 'next.ts'])('%s', (program) => {
  it('answers a chat and takes a webhook, as it is written', async () => {
    await using stack = new AsyncDisposableStack();
    const port = String(await findFreePort());
    const url = `http://127.0.0.1:${port}`;
    const hook = await startWebhookScene(lab, ['turn.settled'], {
      toUrl: () => `${url}/hooks`,
    });
    const secrets = [hook.secret, (await hook.rotate(60_000)).secret].join(' ');
    const variables = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key, WEBHOOK_SECRETS: secrets };
    const running = typeCommand(`'${process.execPath}' ${program}`, { cwd: writeProject(port), variables });
    stack.use(running);
    const answers = () => fetch(`${url}/chat`).catch((error: unknown) => running.output() + String(error));
    const first = await eventually(answers, (answer) => typeof answer !== 'string');
    expect((first as Response).status).toBe(401);

    scene.reply({ text: `Hello from ${program}!` });
    const headers = { cookie: 'session=7c1f', 'content-type': 'application/json' };
    const body = JSON.stringify({ message: 'Hello' });
    const frames = await readAllSent(await fetch(`${url}/chat`, { method: 'POST', headers, body }));
    expect(toText(frames)).toBe(`Hello from ${program}!`);
    const turnId = String(frames[0]?.data['turnId']);
    await expectResumed(`${url}/chat?turn=${turnId}`, headers, frames);

    await running.printed(turnId);
    expect(running.output()).toMatch(/^turn\.settled \{/m);
    await hook.waitFor(({ status }) => status === 'delivered');
    const forged = { 'content-type': 'application/json', 'webhook-id': '1', 'webhook-signature': 'v1,' };
    const refused = await fetch(`${url}/hooks`, { method: 'POST', headers: forged, body: '{}' });
    expect(refused.status).toBe(401);
  });
});

async function expectResumed(
  url: string,
  headers: Record<string, string>,
  frames: SentFrame[],
): Promise<void> {
  const sent = frames.slice(1);
  const [before] = sent;
  const after = { ...headers, 'last-event-id': before?.id ?? '' };
  expect(await readAllSent(await fetch(url, { headers: after }))).toEqual(sent.slice(1));
  const other = await fetch(url, { headers: { ...after, cookie: 'session=93ab' } });
  expect(other.status).toBe(404);
}
