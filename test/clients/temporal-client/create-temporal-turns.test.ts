import type { Client } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { createHoldfastClient } from '../../../src/clients/client/index.ts';
import { createTemporalTurns } from '../../../src/clients/temporal-client/index.ts';
import { toTurnId } from '../../../src/platform/lib/ids.ts';
import { toRequestHash } from '../../../src/platform/lib/request-hash.ts';
import { answerWith, startScriptedApi } from '../../servers/scripted-api.ts';
import { conversationId, toTurn, turnId } from '../../servers/scripted-events.ts';

const workspaceId = '0198a000-0000-7000-8000-00000000000a';
const taskQueue = 'holdfast-queue';
const hello = { conversationId, message: 'hello', idempotencyKey: 'order-17' };

class NamedError extends Error {
  constructor(name: string, fields: object = {}) {
    super(`${name} happened`);
    Object.assign(this, { name, ...fields });
  }
}

interface FakeTemporal {
  start?: () => Promise<unknown>;
  /** The memo of an existing submission. */
  memo?: Record<string, unknown>;
  result?: () => Promise<unknown>;
  /** The workflows that can be cancelled. */
  running?: string[];
}

function createFakeTemporal({ start, memo, result, running = [] }: FakeTemporal) {
  const starts: [type: string, options: Record<string, unknown>][] = [];
  const cancelled: string[] = [];
  const client = {
    withAbortSignal: (signal: AbortSignal, work: () => Promise<unknown>) =>
      Promise.race([
        work(),
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new NamedError('ServiceError'))),
        ),
      ]),
    workflow: {
      start: (type: string, options: Record<string, unknown>) => {
        starts.push([type, options]);
        return start?.() ?? Promise.resolve({});
      },
      getHandle: (workflowId: string) => ({
        describe: () => Promise.resolve({ memo }),
        result: () => result?.() ?? Promise.reject(new NamedError('WorkflowNotFoundError')),
        cancel: () => {
          if (!running.includes(workflowId)) return Promise.reject(new NamedError('WorkflowNotFoundError'));
          cancelled.push(workflowId);
          return Promise.resolve({});
        },
      }),
    },
  };
  return { client: client as unknown as Client, starts, cancelled };
}

function createClient(temporal: ReturnType<typeof createFakeTemporal>) {
  return createHoldfastClient({
    turns: createTemporalTurns({ client: temporal.client, workspaceId, taskQueue }),
  });
}

describe('turns through a Temporal client', () => {
  it('are started as a submission whose id comes from the workspace and the key', async () => {
    const temporal = createFakeTemporal({});
    const turn = await createClient(temporal).turns.start(hello);
    const id = toTurnId(workspaceId, 'order-17');
    expect(turn).toEqual({ id, conversationId, status: 'submitted' });
    const [type, options] = temporal.starts[0] ?? [];
    expect(type).toBe('turnSubmission');
    expect(options).toMatchObject({
      workflowId: `submission-${id}`,
      taskQueue,
      workflowIdConflictPolicy: 'FAIL',
      memo: { requestHash: toRequestHash(conversationId, { message: 'hello', onBusy: 'reject' }) },
      priority: { fairnessKey: workspaceId },
      args: [{ workspaceId, turnId: id, conversationId, message: 'hello', onBusy: 'reject' }],
    });
  });

  it.each([
    ['the same request', { requestHash: toRequestHash(conversationId, { ...hello, onBusy: 'reject' }) }],
    ['a request that says nothing of itself', undefined],
  ])('accept an existing submission with %s', async (_what, memo) => {
    const start = () => Promise.reject(new NamedError('WorkflowExecutionAlreadyStartedError'));
    const turn = await createClient(createFakeTemporal({ start, ...(memo && { memo }) })).turns.start(hello);
    expect(turn.id).toBe(toTurnId(workspaceId, 'order-17'));
  });

  it.each([
    ['message', { message: 'bye' }],
    ['conversation', { conversationId: turnId }],
    ['answer to a busy conversation', { onBusy: 'enqueue' as const }],
  ])('are refused when their key was used with another %s', async (_what, change) => {
    const memo = { requestHash: toRequestHash(conversationId, { ...hello, onBusy: 'reject' }) };
    const start = () => Promise.reject(new NamedError('WorkflowExecutionAlreadyStartedError'));
    const { turns } = createClient(createFakeTemporal({ start, memo }));
    await expect(turns.start({ ...hello, ...change })).rejects.toMatchObject({
      name: 'HoldfastApiError',
      code: 'IDEMPOTENCY_KEY_REUSED',
      status: 409,
      details: { turnId: toTurnId(workspaceId, 'order-17') },
    });
  });

  it('get a new key for each call without one', async () => {
    const { turns } = createClient(createFakeTemporal({}));
    const ids = [
      await turns.start({ conversationId, message: 'a' }),
      await turns.start({ conversationId, message: 'a' }),
    ];
    expect(ids[0]?.id).not.toBe(ids[1]?.id);
  });

  it('are awaited by the result of the submission', async () => {
    const turn = toTurn({ outcome: 'completed', answer: 'Hello.' });
    const result = () => Promise.resolve({ turn });
    await expect(createClient(createFakeTemporal({ result })).turns.wait(turnId)).resolves.toEqual(turn);
  });

  it('fail with the code and the details of the HoldfastError', async () => {
    const info = { code: 'TURN_RUNNING', message: 'busy', details: { turnId: 'another' } };
    const failure = new NamedError('ApplicationFailure', { type: 'TURN_RUNNING', details: [info] });
    const cause = new NamedError('ActivityFailure', { cause: failure });
    const result = () => Promise.reject(new NamedError('WorkflowFailedError', { cause }));
    await expect(createClient(createFakeTemporal({ result })).turns.wait(turnId)).rejects.toMatchObject({
      name: 'HoldfastApiError',
      code: 'TURN_RUNNING',
      status: undefined,
      details: { turnId: 'another' },
    });
  });

  it('are no longer awaited when the time limit is over', async () => {
    const result = () => new Promise(() => undefined);
    const waiting = createClient(createFakeTemporal({ result })).turns.wait(turnId, { timeoutMs: 10 });
    await expect(waiting).rejects.toMatchObject({ code: 'WAIT_TIMED_OUT' });
  });

  it('are cancelled through their own workflow, never through the submission', async () => {
    const running = createFakeTemporal({ running: [`turn-${turnId}`, `submission-${turnId}`] });
    await createClient(running).turns.cancel(turnId);
    expect(running.cancelled).toEqual([`turn-${turnId}`]);
    const queued = createFakeTemporal({ running: [`submission-${turnId}`] });
    await expect(createClient(queued).turns.cancel(turnId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(queued.cancelled).toEqual([]);
  });

  it('are read over HTTP when Temporal does not know them and HTTP is configured', async () => {
    const turn = toTurn({ outcome: 'completed', answer: 'Hello.' });
    const api = await startScriptedApi({
      [`GET /api/turns/${turnId}`]: answerWith({ turn }),
      [`POST /api/turns/${turnId}/cancel`]: answerWith({ turn }),
    });
    const { client } = createFakeTemporal({});
    const { turns } = createHoldfastClient({
      ...api,
      turns: createTemporalTurns({ client, workspaceId, taskQueue }),
    });
    await expect(turns.wait(turnId)).resolves.toEqual(turn);
    await turns.cancel(turnId);
    expect(api.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });
});
