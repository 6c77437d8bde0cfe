import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isFresh, lockHash } from '../../scripts/install.mjs';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';

interface Clone {
  root: string;
  write: (file: string, value: unknown) => void;
}

/** A clone whose lock file asks for one package, and which has the pinned Node. */
function createClone(): Clone {
  const root = createTemporaryFolder();
  const write = (file: string, value: unknown) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), JSON.stringify(value));
  };
  write('package-lock.json', toLock('1.0.0'));
  write('node_modules/node/bin/node', '');
  return { root, write };
}

function toLock(version: string) {
  const optional = { version: '2.0.0', optional: true };
  return {
    packages: { '': {}, 'node_modules/one': { version }, 'node_modules/for-another-platform': optional },
  };
}

const installed = { packages: { 'node_modules/one': { version: '1.0.0' } } };

it('packages are missing when no install has finished', () => {
  expect(isFresh(createClone().root)).toBe(false);
});

it('an install that npm finished by hand is accepted, and the lock file is recorded', () => {
  const { root, write } = createClone();
  write('node_modules/.package-lock.json', installed);
  expect(isFresh(root)).toBe(true);
  rmSync(path.join(root, 'node_modules/.package-lock.json'));
  expect(isFresh(root)).toBe(true);
});

it('packages are stale when the lock file asks for another version', () => {
  const { root, write } = createClone();
  write('node_modules/.package-lock.json', installed);
  expect(isFresh(root)).toBe(true);
  const before = lockHash(root);
  write('package-lock.json', toLock('1.0.1'));
  expect(lockHash(root)).not.toBe(before);
  expect(isFresh(root)).toBe(false);
});

it('a workspace package needs no install, since it is part of the clone', () => {
  const { root, write } = createClone();
  const { packages } = toLock('1.0.0');
  const workspace = {
    'src/clients/client': { version: '0.1.0' },
    'node_modules/@some/client': { resolved: 'src/clients/client', link: true },
  };
  write('package-lock.json', { packages: { ...packages, ...workspace } });
  write('node_modules/.package-lock.json', installed);
  expect(isFresh(root)).toBe(true);
});

it('packages are stale when the pinned Node is missing', () => {
  const { root, write } = createClone();
  write('node_modules/.package-lock.json', installed);
  rmSync(path.join(root, 'node_modules/node'), { recursive: true });
  expect(isFresh(root)).toBe(false);
});
