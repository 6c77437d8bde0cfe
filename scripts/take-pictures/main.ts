// Takes a picture of each screen of the console for the documents.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startEverything } from '../../bench/holdfast/start-everything.ts';
import { makeFolder } from '../../bench/place.ts';
import { createHoldfastClient } from '../../src/clients/client/index.ts';
import { loadConfig } from '../../src/main/config.ts';
import { listenForStop } from '../../src/main/dev/stop-requests.ts';
import { openWatched, startChromium } from '../../test/labs/chromium/chromium.ts';
import { walkWholeWay } from '../../test/labs/whole-way.ts';
import { startScriptedServer, textResult } from '../../test/servers/mcp-servers.ts';
import { fillScene } from './fill-scene.ts';
import { takeReport } from './take-report.ts';

const folder = path.join(import.meta.dirname, '../../docs/console');
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

const say = (line: string) => console.log(line);
const signal = listenForStop(say);
/** Starts everything with an empty workspace, does a little work in it, and takes the pictures. */
async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const config = loadConfig();
  const dataDir = makeFolder(config.dataDir, stack);
  // The MCP server of the film is on this machine.
  const environment = { HOLDFAST_ALLOW_LOOPBACK: 'true' };
  const api = await startEverything({ config, dataDir, environment, worker: true, signal });
  stack.defer(api.stop);
  const scene = await fillScene(createHoldfastClient({ baseUrl: api.origin, apiKey: api.apiKey }));
  const browser = await startChromium();
  stack.defer(() => browser.close());
  const { page } = await openWatched(browser, { viewport: desktop });
  await page.goto(`${api.origin}/#key=${api.apiKey}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  const links = await page
    .locator('nav a')
    .evaluateAll((found: { getAttribute: (name: string) => string | null }[]) =>
      found.map((link) => link.getAttribute('href') ?? '/'),
    );
  const shot = (name: string, address: string) => take({ page, origin: api.origin }, name, address);
  for (const address of links) await shot(address === '/' ? 'home' : address.slice(1), address);
  await shot('playground', scene.conversation);
  for (const name of ['agent', 'turn', 'knowledge', 'routineRun', 'swarm', 'replay'] as const)
    await shot(toFileName(name), scene[name]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await shot('turn-dark', scene.turn);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(phone);
  await shot('playground-phone', scene.conversation);
  await shot('approvals-phone', '/approvals');
  await shot('turn-phone', scene.turn);
  await page.setViewportSize(desktop);
  await filmWholeWay(page);
  await takeReport(page, dataDir, path.join(folder, '../replay-report.png'));
  say('docs/replay-report.png');
}

/** Takes a picture of each step of the way of a new user. */
async function filmWholeWay(page: Page): Promise<void> {
  const server = await startScriptedServer({
    echo: () => textResult('hello'),
    add: () => textResult('5'),
    note: () => textResult('noted'),
  });
  const begun = Date.now();
  const names: string[] = [];
  await walkWholeWay(page, {
    serverUrl: server.url,
    onStep: async (name) => {
      names.push(name);
      await save(page, `way-${names.length}-${name}`);
    },
  });
  say(`The whole way took ${((Date.now() - begun) / 1_000).toFixed(0)} s.`);
  await server.close();
}

/** Returns a name in lower case with hyphens. */
const toFileName = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

interface Taking {
  page: Page;
  origin: string;
}

async function take({ page, origin }: Taking, name: string, address: string): Promise<void> {
  await page.goto(`${origin}${address}`);
  await page.locator('main').locator('h1, h2').first().waitFor();
  // Streams stay open, so the network is never idle.
  await page.waitForTimeout(1_000);
  await save(page, name);
}

async function save(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  say(`docs/console/${name}.png  ${new URL(page.url()).pathname}`);
}

await main();
// Ends the process even when a library keeps a socket or a timer open.
process.exit();
