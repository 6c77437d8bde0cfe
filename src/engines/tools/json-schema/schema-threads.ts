import {
  createThreadPool,
  type ThreadLimits,
  type ThreadOutcome,
} from '../../../platform/lib/thread-pool.ts';
import { toThreadProgram } from '../../../platform/lib/thread.ts';
import type { SchemaAnswer, SchemaTask } from './schema-task.ts';

/** The result of a task, or the reason why it was given up. */
export type SchemaOutcome<Task extends SchemaTask> = ThreadOutcome<SchemaAnswer<Task>>;

/** Runs a task of a workspace in a thread. */
export type SchemaThreads = <Task extends SchemaTask>(
  workspaceId: string,
  task: Task,
) => Promise<SchemaOutcome<Task>>;

const program = toThreadProgram('schema-thread', import.meta.url);

/** Builds threads that work with schemas: a short schema can take years or gigabytes to check a short value. */
export function createSchemaThreads(limits: ThreadLimits = {}): SchemaThreads {
  return createThreadPool<SchemaTask, never>({ ...limits, program, what: 'checks schemas' });
}
