import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { withLock } from '../../../scripts/lock.mjs';

/** A Chromium that can be started, and the variables that its process needs. */
export interface InstalledChromium {
  executablePath?: string;
  /** A browser that playwright finds without a path. */
  channel?: string;
  env: Record<string, string>;
}

const home = path.dirname(path.dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))));

/**
 * Returns the Chromium of `HOLDFAST_CHROMIUM`. Without that it is the one that the package `@sparticuz/chromium` ships,
 * with the libraries and fonts that a server may lack; it runs on Linux on x64. Elsewhere it is the Chrome of the machine.
 */
export async function findChromium(): Promise<InstalledChromium> {
  const given = process.env['HOLDFAST_CHROMIUM'];
  if (given !== undefined) return { executablePath: given, env: {} };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome', env: {} };
  const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as {
    version: string;
  };
  const folder = path.resolve('node_modules', '.cache', 'chromium', version);
  // Test files run in several processes.
  await withLock(`${folder}.lock`, 'Another process unpacks Chromium', async () => {
    if (!existsSync(folder)) await unpack(folder);
  });
  return {
    executablePath: path.join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  };
}

async function unpack(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const executable = path.join(unfinished, 'chromium');
  await Promise.all([
    decompress('chromium.br', createWriteStream(executable)),
    unpackArchive('al2023', unfinished),
    unpackArchive('fonts', unfinished),
  ]);
  chmodSync(executable, 0o755);
  const directories = [path.join(folder, 'fonts'), '/usr/share/fonts'].map((one) => `<dir>${one}</dir>`);
  const cache = `<cachedir>${path.join(folder, 'font-cache')}</cachedir>`;
  writeFileSync(
    path.join(unfinished, 'fonts.conf'),
    `<?xml version="1.0"?>\n<fontconfig>${directories.join('')}${cache}</fontconfig>\n`,
  );
  renameSync(unfinished, folder);
}

/** `tar` reads a file: of a pipe it may leave the padding at the end unread, which fails the writing side. */
async function unpackArchive(name: string, folder: string): Promise<void> {
  const [archive, target] = [path.join(folder, `${name}.tar`), path.join(folder, name)];
  mkdirSync(target);
  await decompress(`${name}.tar.br`, createWriteStream(archive));
  const tar = spawn('tar', ['-x', '-f', archive, '-C', target], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(tar, 'close')) as [code: number | null];
  if (code !== 0) throw new Error(`tar could not unpack ${name}.tar: it ended with ${code ?? 'a signal'}`);
  rmSync(archive);
}

function decompress(name: string, target: Writable): Promise<void> {
  return pipeline(createReadStream(path.join(home, 'bin', name)), createBrotliDecompress(), target);
}
