import { isDatabaseOutage } from '../../src/platform/lib/database-outage.ts';
import type { CallModelInput } from '../../src/contract/turn-steps.ts';
import type { ModelPort } from '../step-dependencies.ts';
import type { StepRun } from '../run-step.ts';
import { answerAndStore, type AnsweredStep } from './answer-and-store.ts';
import type { ContextCache } from './context-cache.ts';
import { CallCutShort, type CutCall } from './cut-call.ts';
import { readModelStep, readStoredResult, type ModelStep } from './read-model-step.ts';
import type { SteeringNotices } from './steering-notices.ts';

interface IterationOptions {
  input: CallModelInput;
  run: StepRun;
  notices: SteeringNotices;
  contexts: ContextCache;
  /** The input of the model call, for a caller that has it; null to read it. @default null */
  known?: ModelStep | null;
  claimId?: string;
}

/**
 * Answers one iteration of a turn and stores the answer; one that is stored already is returned unchanged. A message that
 * steers at once cuts the model call short, and the model is asked again with it.
 * @throws the errors of the model call
 */
export async function answerIteration(
  dependencies: ModelPort,
  { input, run, notices, contexts, known = null, claimId }: IterationOptions,
): Promise<AnsweredStep> {
  const cut: CutCall[] = [];
  for (let read = notices.hasAny() ? null : known; ; read = null) {
    // Messages that came before are read with the step.
    notices.clear();
    const current = read ?? (await readModelStep(dependencies, contexts, { ...input, hold: run.hold }));
    if (current.step.stored) {
      return { result: await readStoredResult(dependencies, input, current.step), stored: null };
    }
    const watch = watchForMessages(dependencies, input, notices);
    try {
      const options = { ...current, input, run, cut, steered: watch.signal };
      return await answerAndStore(dependencies, claimId === undefined ? options : { ...options, claimId });
    } catch (error) {
      if (!(error instanceof CallCutShort)) throw error;
      if (error.call) cut.push(error.call);
    } finally {
      watch.close();
    }
  }
}

/** Aborts a signal with `CallCutShort` when a message with `now` waits. After a failed read, the next model call sees it. */
function watchForMessages(
  { pipelined, logger }: ModelPort,
  { workspaceId, turnId }: CallModelInput,
  notices: SteeringNotices,
) {
  const controller = new AbortController();
  const look = async () => {
    const isWaiting = await pipelined(workspaceId, ({ steering }) => steering.isAwaited(turnId));
    if (isWaiting) controller.abort(new CallCutShort());
  };
  const notify = () => {
    look().catch((err: unknown) => {
      logger[isDatabaseOutage(err) ? 'debug' : 'warn']({ turnId, err }, 'a message waits for the model call');
    });
  };
  const close = notices.onNotice(notify);
  if (notices.hasAny()) notify();
  return { signal: controller.signal, close };
}
