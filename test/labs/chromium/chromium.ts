import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { findChromium } from './unpack-chromium.ts';

/** A page of Chromium, and what it has done that a report of the console or the network shows. */
export interface WatchedPage {
  page: Page;
  /** Errors and warnings of the console, among them what the policy of the page has refused, and errors of its scripts. */
  problems: string[];
  /** The addresses of all requests, in their order. */
  requests: string[];
}

/** Starts Chromium without a window. Fails when there is none for this machine. */
export async function startChromium(): Promise<Browser> {
  const { env, ...found } = await findChromium();
  return chromium.launch({ ...found, env: { ...process.env, ...env } });
}

/** Opens a new page with separate cookies, and watches it. */
export async function openWatched(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const watched: WatchedPage = { page, problems: [], requests: [] };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) watched.problems.push(message.text());
  });
  page.on('pageerror', ({ message }) => watched.problems.push(message));
  context.on('request', (request) => watched.requests.push(request.url()));
  return watched;
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Lists what a page lacks for people who see little or use a keyboard or a screen reader (WCAG 2.2, level AA). */
export async function listBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}

/** Says which element has the focus: its role or tag, and its name. Null when its focus cannot be seen. */
export function describeFocus(page: Page): Promise<string | null> {
  return page.evaluate<string | null>(`(() => {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    if (outlineStyle === 'none' || outlineWidth === '0px') return null;
    const label = element.getAttribute('aria-label') ?? (element.labels?.[0] ?? element).innerText;
    return [element.localName, element.id || label.trim().split('\\n')[0]].join(' ').trim();
  })()`);
}
