import { createInvalidInput, HoldfastError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/json.ts';
import {
  createThreadPool,
  type ThreadLimits,
  type ThreadOutcome,
} from '../../../platform/lib/thread-pool.ts';
import { toThreadProgram } from '../../../platform/lib/thread.ts';
import type { RoutineDiagram } from '../diagram/draw-routine.ts';
import type { DocumentAnswers, DocumentTask, ReadDocument } from './document-task.ts';

const program = toThreadProgram('document-thread', import.meta.url);

/** The limits of one document: one of 256 KiB takes about 0.3 s, and the SDK of the standard 30 MiB. */
const defaults: ThreadLimits = { timeoutMs: 5_000, maxMegabytes: 192 };

/** Work with documents of routines, outside of the thread that answers requests. */
export interface DocumentThreads {
  /**
   * Reads, checks and draws a document.
   * @throws HoldfastError `INVALID_INPUT` with the path of each error, or with the limit that the document exceeds;
   * `SERVICE_UNAVAILABLE` when there was no time for it
   */
  readDocument: (workspaceId: string, source: string | JsonObject) => Promise<ReadDocument>;
  /**
   * Draws a document that was checked.
   * @throws HoldfastError `RATE_LIMITED` when it takes too long, `SERVICE_UNAVAILABLE` when there was no time for it
   */
  drawDocument: (workspaceId: string, document: JsonObject) => Promise<RoutineDiagram>;
}

type RunDocumentTask = <Task extends DocumentTask>(
  workspaceId: string,
  task: Task,
) => Promise<ThreadOutcome<DocumentAnswers[Task['kind']]>>;

/** Builds threads that work with documents of routines, shared by all workspaces. */
export function createDocumentThreads(limits: ThreadLimits = {}): DocumentThreads {
  const options = { ...defaults, ...limits, program, what: 'reads routines' };
  const run: RunDocumentTask = createThreadPool<DocumentTask, never>(options);
  return {
    readDocument: async (workspaceId, source) => {
      const outcome = await run(workspaceId, { kind: 'read', source });
      if ('refusal' in outcome)
        throw createInvalidInput([{ field: 'document', message: `cannot be read: ${outcome.refusal}` }]);
      if ('errors' in outcome.answer) throw createInvalidInput(outcome.answer.errors);
      return outcome.answer;
    },
    drawDocument: async (workspaceId, document) => {
      const outcome = await run(workspaceId, { kind: 'draw', document });
      if ('answer' in outcome) return outcome.answer;
      throw new HoldfastError('RATE_LIMITED', `The routine cannot be drawn now: ${outcome.refusal}.`);
    },
  };
}

/** The threads of this process. */
export const { readDocument, drawDocument } = createDocumentThreads();
