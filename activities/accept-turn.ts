import { createHash } from 'node:crypto';
import { z } from 'zod';
import { HoldfastError } from '../src/domain/errors.ts';
import { turnInputSchema, type TurnDetails } from '../src/domain/turn.ts';
import type { TurnSubmissionInput } from '../src/domain/turn-submission.ts';
import type { AgentTurnInput } from '../src/domain/turn-steps.ts';
import { toPreview } from '../src/domain/text.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { toActivityFailure } from './failures.ts';

const submissionSchema = turnInputSchema.extend({
  workspaceId: z.uuid(),
  turnId: z.uuid(),
  conversationId: z.uuid(),
});

/** Accepts a turn that came as a workflow's input; answers what to start it with, or null while it is queued. */
export function createAcceptTurn({ withTurns, notifier }: ActivityDependencies) {
  return async (submission: TurnSubmissionInput): Promise<AgentTurnInput | null> => {
    try {
      const { workspaceId, turnId, conversationId, ...input } = parseSubmission(submission);
      const requestHash = toRequestHash(conversationId, input);
      const { start } = await withTurns(workspaceId, (turns) =>
        turns.submitTurn({ turnId, conversationId, requestHash, input }),
      );
      notifier.events(conversationId);
      return start;
    } catch (error) {
      throw toActivityFailure(error);
    }
  };
}

function parseSubmission(submission: TurnSubmissionInput) {
  const parsed = submissionSchema.safeParse(submission);
  if (parsed.success) return parsed.data;
  throw new HoldfastError('INVALID_INPUT', `The submission is wrong: ${z.prettifyError(parsed.error)}`);
}

function toRequestHash(conversationId: string, input: z.infer<typeof turnInputSchema>): string {
  return createHash('sha256')
    .update(JSON.stringify([conversationId, input.message, input.onBusy]))
    .digest('hex');
}

/** Reads a settled turn for a workflow's result: tool results and arguments as previews, since history is bounded. */
export function createReadTurn({ withTurns }: ActivityDependencies) {
  return async ({ workspaceId, turnId }: { workspaceId: string; turnId: string }): Promise<TurnDetails> => {
    try {
      const turn = await withTurns(workspaceId, (turns) => turns.getTurnDetails(turnId));
      return {
        ...turn,
        toolCalls: turn.toolCalls.map((call) => ({
          ...call,
          arguments: null,
          result: call.result && toPreview(call.result),
        })),
      };
    } catch (error) {
      throw toActivityFailure(error);
    }
  };
}
