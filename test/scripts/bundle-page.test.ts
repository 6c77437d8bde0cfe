import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bundlePage } from '../../scripts/bundle-page/bundle-page.ts';
import { pageScript } from '../../src/modules/replays/report/generated/page-script.ts';

it('the script of the report page is up to date: else run "npm run generate"', async () => {
  expect(await bundlePage()).toBe(
    readFileSync('src/modules/replays/report/generated/page-script.ts', 'utf8'),
  );
});

it('the script of the report page is small, and needs nothing but the page', () => {
  expect(pageScript).not.toMatch(/\b(?:import|require|process|fetch)\b/);
  expect(pageScript.length).toBeLessThan(20_000);
});
