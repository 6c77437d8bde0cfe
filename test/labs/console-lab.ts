import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { buildConsole } from '../../scripts/build-console/build-console.ts';
import { listBarriers, openWatched, startChromium } from './chromium/chromium.ts';

/** An API with the console, and who signs in. */
interface ConsoleApi {
  url: string;
  /** An API key or a user token. */
  key: string;
}

/** How a page of the console is opened. */
export interface OpenConsoleOptions extends BrowserContextOptions {
  /** What the log of the page is to have. @default nothing */
  expected?: (string | RegExp)[];
  /** The other sites to which its windows go, such as that of a consent. @default none */
  sites?: string[];
}

/** The console in Chromium. */
export interface ConsoleLab {
  browser: Browser;
  /**
   * Opens a page of the console with a session for the key. When the test ends, the log of the page must have had no problem but
   * the expected ones, and no request may have gone to another site.
   */
  open: (api: ConsoleApi, path: string, options?: OpenConsoleOptions) => Promise<Page>;
  stop: () => Promise<void>;
}

/** Builds the console when its sources have changed, and starts Chromium. An API that serves it is started afterwards. */
export async function startConsole(): Promise<ConsoleLab> {
  const [browser] = await Promise.all([startChromium(), buildConsole()]);
  return {
    browser,
    open: (api, path, options = {}) => openConsole(browser, { api, path, options }),
    stop: () => browser.close(),
  };
}

interface Opening {
  api: ConsoleApi;
  path: string;
  options: OpenConsoleOptions;
}

async function openConsole(browser: Browser, { api, path, options }: Opening): Promise<Page> {
  const { expected = [], sites = [], ...context } = options;
  const watched = await openWatched(browser, { viewport: { width: 1440, height: 900 }, ...context });
  const { page, problems, requests } = watched;
  page.setDefaultTimeout(20_000);
  onTestFinished(async () => {
    await page.context().close();
    const known = [api.url, ...sites, 'blob:', 'data:', 'about:'];
    const foreign = requests.filter((url) => !known.some((start) => url.startsWith(start)));
    const unexpected = problems.filter((problem) => !expected.some((one) => isLike(problem, one)));
    expect({ unexpected, foreign }).toEqual({ unexpected: [], foreign: [] });
  });
  await page.context().addCookies([await openSession(api)]);
  await page.goto(`${api.url}${path}`);
  return page;
}

function isLike(problem: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? problem.includes(expected) : expected.test(problem);
}

/** Opens a session, and returns its cookie for a browser. */
async function openSession({ url, key }: ConsoleApi) {
  const response = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(response.headers.get('set-cookie') ?? '') ?? [];
  if (value === '') throw new Error(`no session: ${response.status} ${await response.text()}`);
  return { name, value, url };
}

/** Expects a page to have no barrier, in light and in dark colours. */
export async function expectNoBarriers(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await listBarriers(page)).toEqual([]);
  }
}
