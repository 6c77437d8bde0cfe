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
import type { AgentTurnInput } from '../src/contract/turn-steps.ts';
import type { TurnSubmissionInput, TurnSubmissionResult } from '../src/contract/submission.ts';
import { acceptTurn, readTurn } from './activities.ts';
import type { agentTurn } from './agent-turn.ts';
import { toTurnOptions, toTurnType } from '../src/contract/turn-options.ts';

const firstPollMs = 500;
const longestPollMs = 30_000;

/** Accepts a turn from a program that has only a Temporal client, runs it, and ends with the settled turn. */
export async function turnSubmission(input: TurnSubmissionInput): Promise<TurnSubmissionResult> {
  const start = await acceptTurn(input);
  if (start) await runSubmittedTurn(start);
  return { turn: await waitUntilSettled(input) };
}

/** Starts a turn as an abandoned child, and waits for its end: cancelling the submission does not cancel the turn. */
export async function runSubmittedTurn(start: AgentTurnInput): Promise<void> {
  try {
    const turn = await startChild<typeof agentTurn>(toTurnType(start), {
      ...toTurnOptions(start),
      args: [start],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
    });
    await turn.result();
  } catch (error) {
    // Another program started the workflow, or it was ended by force: the stored turn has the outcome in both cases.
    const elsewhere =
      error instanceof WorkflowExecutionAlreadyStartedError || error instanceof ChildWorkflowFailure;
    if (!elsewhere) throw error;
  }
}

/** Polls, since a queued turn and a turn that another program started have no workflow result to wait for here. */
async function waitUntilSettled(input: TurnSubmissionInput): Promise<TurnDetails> {
  const { workspaceId, turnId } = input;
  for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 2, longestPollMs)) {
    const turn = await readTurn({ workspaceId, turnId });
    if (turn) return turn;
    // The next run accepts the same submission and finds the stored turn.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof turnSubmission>(input);
    await sleep(pollMs);
  }
}
