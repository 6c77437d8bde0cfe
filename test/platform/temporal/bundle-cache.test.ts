import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBundleCache } from '../../../src/platform/temporal/bundle-cache.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'holdfast-bundles-'));
  mkdirSync(path.join(root, 'workflows'));
  writeFileSync(path.join(root, 'workflows', 'index.ts'), 'first');
  writeFileSync(path.join(root, 'package-lock.json'), '{}');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a bundle is found again while its sources are the same', () => {
  const { file, write } = openBundleCache(root, 'bundle');
  expect(existsSync(file)).toBe(false);
  write('the code');
  expect(readFileSync(openBundleCache(root, 'bundle').file, 'utf8')).toBe('the code');
  expect(existsSync(openBundleCache(root, 'other-bundle').file)).toBe(false);
});

test.each(['workflows/index.ts', 'workflows/added.ts', 'package-lock.json'])(
  'a change of %s asks for another bundle, which takes the place of the earlier one',
  (source) => {
    const earlier = openBundleCache(root, 'bundle');
    earlier.write('earlier');
    const other = openBundleCache(root, 'other-bundle');
    other.write('other');
    writeFileSync(path.join(root, source), 'changed');
    const { file, write } = openBundleCache(root, 'bundle');
    expect(existsSync(file)).toBe(false);
    write('the code');
    expect(readdirSync(path.dirname(file)).sort()).toEqual([path.basename(file), path.basename(other.file)]);
  },
);

test('nothing is written where no folder can be made', () => {
  writeFileSync(path.join(root, 'node_modules'), '');
  expect(() => openBundleCache(root, 'bundle').write('the code')).toThrow();
});
