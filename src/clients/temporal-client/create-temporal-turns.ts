import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { toMessageText } from '../../domain/message-text.ts';
import { toOneLine } from '../../domain/text.ts';
import {
  toSubmissionWorkflowId,
  toTurnWorkflowId,
  turnSubmissionType,
  type TurnSubmissionInput,
  type TurnSubmissionResult,
} from '../../contract/submission.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { TurnDetails } from '../../domain/turn.ts';
import { toTurnId } from '../../platform/lib/ids.ts';
import { toRequestHash } from '../../platform/lib/request-hash.ts';
import { HoldfastApiError, type StartTurnRequest, type TurnTransport } from '../client/index.ts';
import { withinTime } from '../client/within-time.ts';
import { findApplicationFailure, isAlreadyStarted, isNotFound } from './temporal-errors.ts';

const { TaskQueueType } = proto.temporal.api.enums.v1;

/** A program's own client of the Temporal that Holdfast's workers use. */
export interface TemporalOptions {
  /** Where payloads are encrypted, it needs the data converter of docs/encryption.md to read results. */
  client: Client;
  /** The workspace that the turns belong to. A caller that may start workflows in the namespace may act for every workspace. */
  workspaceId: string;
  /** The task queue of the workers, which the Web UI shows on each turn; see HOLDFAST_TASK_QUEUE. */
  taskQueue: string;
}

/**
 * Turns through a Temporal client, for `createHoldfastClient({ turns })`: a workflow accepts them, so they are safe while
 * the API is down. `wait` throws `NO_WORKERS` when no worker of the task queue accepts the turn within ten seconds, as at the
 * Temporal of another program.
 */
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
        client.withAbortSignal(signal, () => readAccepted(options, turnId)),
      ),
    cancel: (turnId) => cancelTurn(client, turnId),
  };
}

function toSubmission(workspaceId: string, request: StartTurnRequest): TurnSubmissionInput {
  const { idempotencyKey = randomUUID(), onBusy = 'reject', responseSchema, ...input } = request;
  return {
    ...{ ...input, workspaceId, turnId: toTurnId(workspaceId, idempotencyKey), onBusy },
    // Temporal carries it as JSON, and the step that accepts the turn checks it.
    ...(responseSchema && { responseSchema: responseSchema as JsonObject }),
  };
}

async function submit(options: TemporalOptions, input: TurnSubmissionInput): Promise<void> {
  const requestHash = toRequestHash(input.conversationId, input);
  try {
    await options.client.workflow.start(turnSubmissionType, {
      workflowId: toSubmissionWorkflowId(input.turnId),
      taskQueue: options.taskQueue,
      args: [input],
      memo: { requestHash },
      // An existing submission is compared with this one first: see assertSameRequest.
      workflowIdConflictPolicy: 'FAIL',
      // A submission that was refused because the conversation was busy may come again with the same key.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      staticSummary: toOneLine(toMessageText(input.message)),
      priority: { fairnessKey: input.workspaceId },
    });
  } catch (error) {
    if (!isAlreadyStarted(error)) throw error;
    await assertSameRequest(options.client, input.turnId, requestHash);
  }
}

/** A submission without a hash was started by another program, which is responsible for its keys itself. */
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

/** How long a turn may wait to be accepted until the workers of its task queue are counted, in milliseconds. */
const acceptedWithinMs = 8_000;

/** The events of a workflow that no worker has begun. */
const eventsBefore = 2;

async function readAccepted(options: TemporalOptions, turnId: string): Promise<TurnDetails> {
  const over = new AbortController();
  try {
    const result = readResult(options.client, turnId);
    return await Promise.race([result, refuseWithoutWorkers(options, turnId, over.signal)]);
  } finally {
    over.abort();
  }
}

/** Rejects when no worker takes the submission of a turn; never resolves. */
async function refuseWithoutWorkers(
  { client, taskQueue }: TemporalOptions,
  turnId: string,
  signal: AbortSignal,
): Promise<never> {
  await sleep(acceptedWithinMs, undefined, { signal });
  const { historyLength } = await client.workflow.getHandle(toSubmissionWorkflowId(turnId)).describe();
  const { namespace } = client.options;
  const { pollers } = await client.workflowService.describeTaskQueue({
    ...{ namespace, taskQueue: { name: taskQueue } },
    taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  });
  if (historyLength > eventsBefore || pollers.length > 0) return new Promise<never>(() => undefined);
  const message =
    `The turn ${turnId} waits, and no worker polls the task queue ${taskQueue} in the namespace ${namespace} of this ` +
    'Temporal. Is it the Temporal and the task queue of Holdfast? Its worker logs both when it is ready.';
  throw new HoldfastApiError('NO_WORKERS', message);
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

// Cancelling the submission would end the wait and leave the turn running, so the turn's own workflow is cancelled.
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
