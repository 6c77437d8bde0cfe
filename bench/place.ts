import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../src/main/config.ts';
import type { Say } from '../src/main/dev/say.ts';

/** The parts of a measurement that all measurements need. */
export interface PlaceOptions {
  config: Config;
  say: Say;
  /** Aborted to stop everything. */
  signal: AbortSignal;
}

/** The place in which the programs of a measurement run. */
export interface Place extends Pick<Config, 'cacheDir' | 'temporalCli' | 'environment'> {
  /** A folder for their files, which is deleted at the end. */
  folder: string;
  say: Say;
  signal: AbortSignal;
  /** Receives the programs to stop, in the order in which they were started. */
  stack: AsyncDisposableStack;
}

/** Makes a place with an empty folder. */
export function openPlace({ config, say, signal }: PlaceOptions, stack: AsyncDisposableStack): Place {
  const { cacheDir, dataDir, environment, temporalCli } = config;
  return { folder: makeFolder(dataDir, stack), cacheDir, temporalCli, environment, say, signal, stack };
}

/** Makes an empty folder in the data folder, which is deleted when the stack is disposed. */
export function makeFolder(dataDir: string, stack: AsyncDisposableStack): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(path.join(dataDir, 'bench-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
