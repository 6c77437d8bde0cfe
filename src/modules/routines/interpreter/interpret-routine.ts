import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import type { RoutineLimits } from '../routine-limits.ts';
import { createRoutineError } from '../../../domain/routine-error.ts';
import type { RoutineProgress } from '../routine-contract.ts';
import { findTimeoutMs } from './find-timeout.ts';
import { RoutineLimitReached, type RoutineGround } from './ground.ts';
import { partOf, objectOf, type Interpretation } from './interpretation.ts';
import { check, runList, runTask, shape } from './run-tasks.ts';
import type { StepLog } from './step-log.ts';

/** A document that is to be run, from where its progress is. */
export interface RoutineToRun {
  runId: string;
  document: JsonObject;
  input: JsonValue;
  ground: RoutineGround;
  /** Kept up to date, so that another interpretation can continue from it. */
  progress: Pick<RoutineProgress, 'context' | 'startedAt' | 'root'>;
  steps: StepLog;
  /** The maximum that the run may take. @default no limits */
  limits?: RoutineLimits | undefined;
}

/**
 * Runs a document of the CNCF Serverless Workflow standard to its end, and answers its output.
 * @throws RoutineError that no task has caught; RoutineStopped; RoutineLimitReached
 */
export async function interpretRoutine(run: RoutineToRun): Promise<JsonValue> {
  const { document, ground, progress } = run;
  const routine: Interpretation = { ...run, rawInput: run.input, runTask, runList };
  const timeoutMs = findTimeoutMs(document, document.timeout);
  const timeMs = Math.min(timeoutMs ?? Infinity, run.limits?.timeMs ?? Infinity);
  if (timeMs === Infinity) return runDocument(routine, progress.root);
  const ended = await ground.until(progress.startedAt + timeMs, () => runDocument(routine, progress.root));
  if (ended) return ended.result;
  if (timeMs !== timeoutMs) throw new RoutineLimitReached(`a run of this workspace may take ${timeMs} ms`);
  throw createRoutineError('timeout', `the routine did not end within ${timeoutMs} ms`, { instance: '/' });
}

async function runDocument(routine: Interpretation, root: JsonObject): Promise<JsonValue> {
  const { document, rawInput, progress } = routine;
  const task = { name: '', definition: document, path: '' };
  const scope = { task, input: rawInput, variables: {}, startedAt: progress.startedAt, step: 0 };
  if (!('input' in root)) {
    await check(routine, document.input, { value: rawInput, what: 'input' });
    const { from } = objectOf(document.input);
    root.input = from === undefined ? rawInput : await shape(routine, from, { scope });
    // The standard's diagram of data sets the context to the input of the workflow.
    progress.context = root.input;
  }
  const input = root.input ?? null;
  const list = { list: document.do, path: '/do', input, variables: {}, state: partOf(root, 'do') };
  const { output: raw } = await runList(routine, list);
  const { as } = objectOf(document.output);
  const ended = { scope: { ...scope, input }, dot: raw, more: { output: raw } };
  const output = as === undefined ? raw : await shape(routine, as, ended);
  await check(routine, document.output, { value: output, what: 'output' });
  return output;
}
