import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { toOneLine } from '../domain/text.ts';
import {
  defaultTaskQueue,
  toSubmissionWorkflowId,
  toTurnWorkflowId,
  turnSubmissionType,
  type TurnSubmissionInput,
  type TurnSubmissionResult,
} from '../../workflows/contract/submission.ts';
import type { TurnDetails } from '../domain/turn.ts';
import { toTurnId } from '../lib/ids.ts';
import { toRequestHash } from '../lib/request-hash.ts';
import { HoldfastApiError } from './holdfast-api-error.ts';
import { findApplicationFailure, isAlreadyStarted, isNotFound } from './temporal-errors.ts';
import { withinTime } from './time-limit.ts';
import type { StartTurnRequest, TurnTransport } from './turns.ts';

/** A program's own way into the Temporal that Holdfast's workers are connected to. */
export interface TemporalOptions {
  /** Where payloads are encrypted, with the data converter of docs/encryption.md: results can not be read without. */
  client: Client;
  /** The workspace that the turns belong to. Whoever may start workflows there may act for each of them. */
  workspaceId: string;
  /** @default 'holdfast' */
  taskQueue?: string | undefined;
}

/** The turns, through a Temporal client: accepted by a workflow, so they are safe while the API is down. */
export function createTemporalTurns(options: TemporalOptions): TurnTransport {
  const { client } = options;
  return {
    start: async (request) => {
      const input = toSubmission(options.workspaceId, request);
      await submit(options, input);
      return { id: input.turnId, conversationId: input.conversationId, status: 'submitted' };
    },
    wait: (turnId, waitOptions = {}) =>
      withinTime(waitOptions, `The turn ${turnId} is not settled yet`, (signal) =>
        client.withAbortSignal(signal, () => readResult(client, turnId)),
      ),
    cancel: (turnId) => cancelTurn(client, turnId),
  };
}

function toSubmission(workspaceId: string, request: StartTurnRequest): TurnSubmissionInput {
  const { conversationId, message, onBusy = 'reject', idempotencyKey = randomUUID() } = request;
  return { workspaceId, turnId: toTurnId(workspaceId, idempotencyKey), conversationId, message, onBusy };
}

async function submit(options: TemporalOptions, input: TurnSubmissionInput): Promise<void> {
  const requestHash = toRequestHash(input.conversationId, input);
  try {
    await options.client.workflow.start(turnSubmissionType, {
      workflowId: toSubmissionWorkflowId(input.turnId),
      taskQueue: options.taskQueue ?? defaultTaskQueue,
      args: [input],
      memo: { requestHash },
      // An existing submission is looked at before it is taken for this one.
      workflowIdConflictPolicy: 'FAIL',
      // What was refused, because the conversation was busy, may be submitted again with the same key.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      staticSummary: toOneLine(input.message),
      priority: { fairnessKey: input.workspaceId },
    });
  } catch (error) {
    if (!isAlreadyStarted(error)) throw error;
    await assertSameRequest(options.client, input.turnId, requestHash);
  }
}

/** A submission without a hash was started by another program, which answers for its keys itself. */
async function assertSameRequest(client: Client, turnId: string, requestHash: string): Promise<void> {
  const { memo } = await client.workflow.getHandle(toSubmissionWorkflowId(turnId)).describe();
  const existing = memo?.['requestHash'];
  if (existing === undefined || existing === requestHash) return;
  throw new HoldfastApiError(
    'IDEMPOTENCY_KEY_REUSED',
    'This idempotency key was used for another request. Use a new key for a new message.',
    { status: 409, details: { turnId } },
  );
}

async function readResult(client: Client, turnId: string): Promise<TurnDetails> {
  try {
    const handle = client.workflow.getHandle(toSubmissionWorkflowId(turnId));
    return ((await handle.result()) as TurnSubmissionResult).turn;
  } catch (error) {
    if (isNotFound(error)) throw toUnknownTurn(turnId, error);
    throw findApplicationFailure(error) ?? error;
  }
}

// Cancelling the submission would end the wait and leave the turn: only the turn's own workflow will do.
async function cancelTurn(client: Client, turnId: string): Promise<void> {
  try {
    await client.workflow.getHandle(toTurnWorkflowId(turnId)).cancel();
  } catch (error) {
    throw isNotFound(error) ? toUnknownTurn(turnId, error) : error;
  }
}

function toUnknownTurn(turnId: string, cause: unknown): HoldfastApiError {
  const message =
    `Temporal runs no workflow of the turn ${turnId}: it is unknown, over, or still in the queue. ` +
    'Over HTTP every turn can be awaited and cancelled.';
  return new HoldfastApiError('NOT_FOUND', message, { cause });
}
