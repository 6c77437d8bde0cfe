import { findRunning } from '../../src/main/running.ts';
import { startEverything } from '../holdfast/start-everything.ts';
import { describeMachine, type Machine } from '../machine.ts';
import { makeFolder, type PlaceOptions } from '../place.ts';
import { measureFiles, type FilesMeasures } from './measure-files.ts';

/** The figures of uploads. */
export interface FilesFigures extends FilesMeasures {
  startedAt: string;
  machine: Machine;
  uploads: number;
  atOnce: number;
  megabytes: number;
}

interface RunFilesOptions extends PlaceOptions {
  uploads: number;
}

const atOnce = 8;
const megabytes = 50;

/** Measures the memory of the API while large files are uploaded, with Postgres as their storage. */
export async function runFiles({ config, uploads, say, signal }: RunFilesOptions): Promise<FilesFigures> {
  await using stack = new AsyncDisposableStack();
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  const dataDir = makeFolder(config.dataDir, stack);
  say('starting Postgres, Temporal and the API (usually 10 seconds) …');
  const started = await startEverything({ config, dataDir, signal, worker: false, environment: {} });
  stack.defer(started.stop);
  const pid = findRunning(dataDir)?.pids['api'];
  if (pid === undefined) throw new Error('the API has no process');
  say(`uploading ${uploads} files of ${megabytes} MiB, ${atOnce} at the same time …`);
  const load = { uploads, bytes: megabytes * 1024 ** 2, atOnce, downloads: Math.ceil(uploads / 5) };
  const measures = await measureFiles({ ...started, pid }, load);
  return { startedAt, machine, uploads, atOnce, megabytes, ...measures };
}
