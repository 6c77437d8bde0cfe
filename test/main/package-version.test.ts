import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageVersion } from '../../src/main/package-version.ts';

test('the version that servers are told is that of package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(packageVersion).toBe(version);
});
