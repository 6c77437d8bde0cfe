import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findTemporal } from '../../../src/main/dev/find-temporal.ts';
import { buildTemporal, type TemporalInstaller } from '../../../src/main/dev/install-temporal.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

const good = 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)';
const old = 'temporal version 1.0.0 (Server 1.24.2, UI 2.28.0)';

function writeProgram(file: string, script: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const writeCli = (file: string, version = good) => writeProgram(file, `echo '${version}'`);

let root: string;
let lines: string[];

beforeEach(() => {
  root = createTemporaryFolder();
  lines = [];
});

function search(more: { temporalCli?: string; installers?: TemporalInstaller[] } = {}) {
  return findTemporal({
    temporalCli: more.temporalCli,
    cacheDir: path.join(root, 'cache'),
    environment: { PATH: [path.join(root, 'first'), path.join(root, 'second')].join(path.delimiter) },
    say: (line) => lines.push(line),
    installers: more.installers ?? [],
  });
}

const cached = () => path.join(root, 'cache', 'temporal-1.5.1');

describe('findTemporal', () => {
  it('prefers the configured binary', async () => {
    const temporalCli = writeCli(path.join(root, 'mine'));
    writeCli(path.join(root, 'first', 'temporal'));
    expect(await search({ temporalCli })).toBe(temporalCli);
  });

  it('refuses a configured binary that does not work, and tries no other', async () => {
    writeCli(path.join(root, 'first', 'temporal'));
    await expect(search({ temporalCli: path.join(root, 'nothing') })).rejects.toThrow(
      /HOLDFAST_TEMPORAL_CLI is .*nothing, but that cannot be used/,
    );
  });

  it('prefers the binary on PATH to that in the cache', async () => {
    const onPath = writeCli(path.join(root, 'second', 'temporal'));
    writeCli(cached());
    expect(await search()).toBe(onPath);
  });

  it('skips a binary on PATH that is broken or too old, and logs that', async () => {
    writeProgram(path.join(root, 'first', 'temporal'), 'echo no such version >&2; exit 3');
    writeCli(path.join(root, 'second', 'temporal'), old);
    expect(await search({ installers: [install] })).toBe(cached());
    expect(lines).toEqual([
      expect.stringContaining('no such version'),
      expect.stringContaining('its server is 1.24.2, older than 1.29.1'),
    ]);
  });

  it('uses the binary in the cache before it gets a new one', async () => {
    writeCli(cached());
    expect(await search({ installers: [fail] })).toBe(cached());
  });

  it('tries each way to get a binary, in order', async () => {
    expect(await search({ installers: [fail, install] })).toBe(cached());
  });

  it('gets a binary once when two starts need it', async () => {
    let installs = 0;
    const slow: TemporalInstaller = async (order) => {
      installs += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return install(order);
    };
    await Promise.all([search({ installers: [slow] }), search({ installers: [slow] })]);
    expect(installs).toBe(1);
  });

  it('says what to do when no binary is found and none can be installed', async () => {
    await expect(search({ installers: [fail] })).rejects.toThrow(
      /No Temporal CLI[^]*no network[^]*docs\.temporal\.io[^]*HOLDFAST_TEMPORAL_CLI[^]*install Go[^]*temporal-dev\.yml/,
    );
  });
});

const install: TemporalInstaller = ({ target }) => {
  writeCli(target);
  return Promise.resolve({ installed: true });
};
const fail: TemporalInstaller = () => Promise.resolve({ installed: false, problem: 'no network' });

describe('buildTemporal', () => {
  const build = () =>
    buildTemporal({
      target: path.join(root, 'cache', 'temporal-1.5.1'),
      environment: { PATH: `${path.join(root, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}` },
      say: (line) => lines.push(line),
    });

  it('builds the pinned version with Go into the cache, and leaves no other files there', async () => {
    const record = `[ "$1" = version ] || { echo "$@" > ${root}/arguments; printf '#!/bin/sh\\necho built' > "$GOBIN/temporal"; }`;
    writeProgram(path.join(root, 'bin', 'go'), record);
    expect(await build()).toEqual({ installed: true });
    expect(readdirSync(path.join(root, 'cache'))).toEqual(['temporal-1.5.1']);
    expect(lines).toEqual([expect.stringContaining('about 3 minutes')]);
  });

  it('reports why a build failed, and leaves no files behind', async () => {
    writeProgram(
      path.join(root, 'bin', 'go'),
      '[ "$1" = version ] || { echo cannot reach the modules >&2; exit 1; }',
    );
    expect(await build()).toEqual({
      installed: false,
      problem: 'The build with Go failed: cannot reach the modules',
    });
    expect(existsSync(cached())).toBe(false);
    expect(readdirSync(path.join(root, 'cache'))).toEqual([]);
  });
});
