import { z } from 'zod';
import { HoldfastError } from '../../src/domain/errors.ts';
import { turnInputSchema, type TurnDetails } from '../../src/domain/turn.ts';
import type { TurnSubmissionInput } from '../../workflows/contract/submission.ts';
import type { AgentTurnInput } from '../../workflows/contract/turn-steps.ts';
import { findUnstorable } from '../../src/domain/storable.ts';
import { toPreview } from '../../src/domain/text.ts';
import { toRequestHash } from '../../src/lib/request-hash.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { toActivityFailure } from '../failures.ts';

const submissionSchema = turnInputSchema.extend({
  workspaceId: z.uuid(),
  turnId: z.uuid(),
  conversationId: z.uuid(),
});

/** Accepts a turn that came as a workflow's input; answers what to start it with, or null while it is queued. */
export function createAcceptTurn({ inTurnRepository, notifier }: ActivityDependencies) {
  return async (submission: TurnSubmissionInput): Promise<AgentTurnInput | null> => {
    try {
      const { workspaceId, turnId, conversationId, ...input } = parseSubmission(submission);
      const requestHash = toRequestHash(conversationId, input);
      const { start } = await inTurnRepository(workspaceId, (turns) =>
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
  if (!parsed.success) {
    throw new HoldfastError('INVALID_INPUT', `The submission is wrong: ${z.prettifyError(parsed.error)}`);
  }
  const unstorable = findUnstorable(parsed.data, 'message');
  if (unstorable) throw new HoldfastError('INVALID_INPUT', `${unstorable.field}: ${unstorable.message}`);
  return parsed.data;
}

/** What a workflow's result may hold of a turn: history is bounded, and a result over 2 MiB is refused. */
const most = { answer: 200_000, toolCalls: 200, preview: 500 };

/** Reads a turn for a workflow's result: null until it is settled; what tools were given and said as previews. */
export function createReadTurn({ inTurnRepository }: ActivityDependencies) {
  return async ({ workspaceId, turnId }: TurnPlace): Promise<TurnDetails | null> => {
    try {
      const turn = await inTurnRepository(workspaceId, (turns) => turns.findTurn(turnId));
      if (turn?.outcome === null) return null;
      return toBounded(await inTurnRepository(workspaceId, (turns) => turns.getTurnDetails(turnId)));
    } catch (error) {
      throw toActivityFailure(error);
    }
  };
}

/** Names a turn in its workspace. */
export interface TurnPlace {
  workspaceId: string;
  turnId: string;
}

function toBounded(turn: TurnDetails): TurnDetails {
  return {
    ...turn,
    answer: turn.answer && toPreview(turn.answer, most.answer),
    toolCalls: turn.toolCalls.slice(0, most.toolCalls).map((call) => ({
      ...call,
      arguments: null,
      result: call.result && toPreview(call.result, most.preview),
      error: call.error && { code: call.error.code, message: toPreview(call.error.message, most.preview) },
    })),
  };
}
