import { z } from 'zod';
import { checkInput } from '../../src/domain/check-input.ts';
import { createInvalidInput } from '../../src/domain/errors.ts';
import { findUnstorable } from '../../src/domain/storable.ts';
import { turnInputSchema } from '../../src/domain/turn.ts';
import { storeTurn } from '../../src/modules/turns/submit-turn.ts';
import type { TurnSubmissionInput } from '../../src/contract/submission.ts';
import type { AgentTurnInput } from '../../src/contract/turn-steps.ts';
import type { SettlePort } from '../step-dependencies.ts';
import { toActivityFailure } from '../../src/platform/activity/failures.ts';

const submissionSchema = turnInputSchema.extend({
  workspaceId: z.uuid(),
  turnId: z.uuid(),
  conversationId: z.uuid(),
});

/**
 * Stores a turn that was submitted as a workflow's input. Returns the input of the turn's workflow, which the
 * submitting workflow starts as its child; null while the turn is queued, and when it is over.
 */
export function createAcceptTurn({ turnDependencies }: Pick<SettlePort, 'turnDependencies'>) {
  return async (submission: TurnSubmissionInput): Promise<AgentTurnInput | null> => {
    try {
      const { workspaceId, turnId, conversationId, ...input } = parseSubmission(submission);
      const { start } = await storeTurn(turnDependencies, { workspaceId }, { turnId, conversationId, input });
      return start;
    } catch (error) {
      throw toActivityFailure(error);
    }
  };
}

function parseSubmission(submission: TurnSubmissionInput) {
  const checked = checkInput(submissionSchema, submission, { whole: 'the submission' });
  if (!checked.success) throw createInvalidInput(checked.errors);
  const unstorable = findUnstorable(checked.value, 'message');
  if (unstorable) throw createInvalidInput([unstorable]);
  return checked.value;
}
