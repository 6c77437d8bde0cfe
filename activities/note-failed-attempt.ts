import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorInfo } from '../src/domain/errors.ts';
import { toPreview } from '../src/domain/text.ts';
import type { StepDependencies } from './step-dependencies.ts';

/** How long a step waits for the note, in milliseconds: its next attempt matters more. */
const patienceMs = 500;
const messageCharacters = 500;

/** A step of a turn; `index` is that of its tool call, and missing for a model call. */
interface FailedStep {
  workspaceId: string;
  turnId: string;
  iteration: number;
  index?: number;
  attempt: number;
}

/** Notes an attempt of a step that is made again, for people who look at the turn. A note that fails is left out. */
export async function noteFailedAttempt(
  { pipelined }: Pick<StepDependencies, 'pipelined'>,
  { workspaceId, turnId, iteration, index = -1, attempt }: FailedStep,
  { code, message }: Pick<ErrorInfo, 'code' | 'message'>,
): Promise<void> {
  const failed = {
    iteration,
    index: index < 0 ? null : index,
    attempt,
    error: { code, message: toPreview(message, messageCharacters) },
    failedAt: new Date().toISOString(),
  };
  const noted = pipelined(workspaceId, ({ answers }) => answers.noteFailedAttempt(turnId, failed));
  await Promise.race([noted.catch(() => undefined), sleep(patienceMs)]);
}
