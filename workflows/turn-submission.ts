import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  continueAsNew,
  ParentClosePolicy,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { TurnDetails } from '../src/domain/turn.ts';
import type { AgentTurnInput } from './contract/turn-steps.ts';
import type { TurnSubmissionInput, TurnSubmissionResult } from './contract/submission.ts';
import { acceptTurn, readTurn } from './activities.ts';
import { agentTurn } from './agent-turn.ts';
import { toTurnOptions } from './contract/turn-options.ts';

const firstPollMs = 500;
const longestPollMs = 30_000;

/** Accepts a turn for a program that has only a Temporal client, runs it, and ends with the settled turn. */
export async function turnSubmission(input: TurnSubmissionInput): Promise<TurnSubmissionResult> {
  const start = await acceptTurn(input);
  if (start) await runTurn(start);
  return { turn: await waitUntilSettled(input) };
}

/** The turn outlives its submission: cancelling the wait does not cancel the turn. */
async function runTurn(start: AgentTurnInput): Promise<void> {
  try {
    const turn = await startChild(agentTurn, {
      ...toTurnOptions(start),
      args: [start],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
    });
    await turn.result();
  } catch (error) {
    // Started by somebody else, or ended by force: either way the stored turn says how it went.
    const elsewhere =
      error instanceof WorkflowExecutionAlreadyStartedError || error instanceof ChildWorkflowFailure;
    if (!elsewhere) throw error;
  }
}

/** A queued turn, or one that somebody else started, has no result to wait for here. */
async function waitUntilSettled(input: TurnSubmissionInput): Promise<TurnDetails> {
  const { workspaceId, turnId } = input;
  for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 2, longestPollMs)) {
    const turn = await readTurn({ workspaceId, turnId });
    if (turn) return turn;
    // Accepting it again finds the turn that is there.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof turnSubmission>(input);
    await sleep(pollMs);
  }
}
