import { createThreadPool, type RunInThread, type ThreadLimits } from '../../platform/lib/thread-pool.ts';
import { toThreadProgram } from '../../platform/lib/thread.ts';
import type { CompareTask, ImportAnswer, ImportTask } from './import-task.ts';

/** Runs a task of a workspace in a thread. */
export type RunImportTask = RunInThread<ImportTask | CompareTask, ImportAnswer>;

const program = toThreadProgram('import-thread', import.meta.url);

/** The limits of one document: 10 MiB of YAML take about 2 s and 300 MiB. */
const defaults: ThreadLimits = { threads: 1, timeoutMs: 20_000, maxMegabytes: 768, waitMs: 30_000 };

/** Builds the thread that compiles documents, which would hold up all other requests otherwise. */
export function createImportThreads(limits: ThreadLimits = {}): RunImportTask {
  return createThreadPool({ ...defaults, ...limits, program, what: 'imports documents' });
}
