import path from 'node:path';
import { expect, test } from 'vitest';
import { buildConsole } from '../../scripts/build-console/build-console.ts';
import { measureConsole } from '../../scripts/build-console/measure-console.ts';

/** What a browser may load at most, in bytes with gzip. */
const mostFirst = 200 * 1024;
const mostPart = 30 * 1024;
/** The maximum that a report may have without its data, in bytes with gzip. */
const mostReport = 160 * 1024;

test('the console loads at most 200 KB at first, 30 KB for a page, and a report has 160 KB besides its data', async () => {
  await buildConsole();
  const { firstLoad, parts, report } = measureConsole(path.join(import.meta.dirname, '../../console/dist'));
  const heaviest = Object.entries(parts).toSorted(([, one], [, other]) => other - one);
  const toText = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
  console.log(
    `first load ${toText(firstLoad)}; report ${toText(report)}; ${heaviest.map(([name, bytes]) => `${name} ${toText(bytes)}`).join(', ')}`,
  );
  expect(Object.keys(parts)).toContain('src/screens/runs/runs-page.tsx');
  expect(firstLoad).toBeLessThan(mostFirst);
  expect(report).toBeLessThan(mostReport);
  expect(heaviest.filter(([, bytes]) => bytes > mostPart)).toEqual([]);
});
