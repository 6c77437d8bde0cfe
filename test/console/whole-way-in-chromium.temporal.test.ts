import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoBarriers, startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { startLabApi, type LabApi } from '../labs/lab-api.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import { walkWholeWay } from '../labs/whole-way.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../servers/mcp-servers.ts';

let chromium: ConsoleLab;
let api: LabApi;
let server: ScriptedServer;
let echoes = 0;

beforeAll(async () => {
  chromium = await startConsole();
  api = await startLabApi(await shareTurnLab());
  server = await startScriptedServer({
    echo: () => {
      echoes += 1;
      return textResult('hello');
    },
    add: () => textResult('5'),
    note: () => textResult('noted'),
  });
});
afterAll(async () => {
  await chromium.stop();
  await api.stop();
  await server.close();
});

test('a new user connects a server, adds tools, talks, approves, and replays what was said, without a reload', async () => {
  const page = await chromium.open(api, '/');
  await page.evaluate('window.neverReloaded = true');
  const done: string[] = [];
  await walkWholeWay(page, {
    serverUrl: server.url,
    onStep: async (name) => {
      await expectNoBarriers(page);
      done.push(name);
    },
  });
  expect(done).toEqual(['connect', 'agent', 'tools', 'talk', 'approve', 'run', 'change', 'replay']);
  expect(await page.evaluate('window.neverReloaded')).toBe(true);
  // The replay answers from what was recorded.
  expect(echoes).toBe(1);
});
