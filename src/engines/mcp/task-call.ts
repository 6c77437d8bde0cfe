import { setTimeout as sleep } from 'node:timers/promises';
import { ProtocolError, SdkError, SdkErrorCode, type CallToolResult } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { HoldfastError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';
import { ToolInterruptedError } from '../../domain/tool-interrupted.ts';

/** How often the status of a task is requested that names no interval, and the bounds of one that it names, in milliseconds. */
const defaultPollMs = 1_000;
const shortestPollMs = 100;
const longestPollMs = 5_000;

const taskSchema = z.looseObject({
  taskId: z.string(),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional(),
  pollInterval: z.number().optional(),
});

type Task = z.infer<typeof taskSchema>;

const createdSchema = z.looseObject({ task: taskSchema });
const anyResultSchema = z.looseObject({});

/** A request of the protocol. */
interface TaskRequest {
  method: string;
  params: Readonly<Record<string, unknown>>;
}

/** A call that runs as a task of its server. */
interface TaskCall {
  /** The parameters of `tools/call`. */
  params: TaskRequest['params'];
  /** In epoch milliseconds. */
  deadline: number;
  /** Fires when the call is cancelled or its time is over. */
  signal: AbortSignal;
  /** Sends a request as part of the call; the server may ask people in its response. */
  send: <Result>(request: TaskRequest, schema: z.ZodType<Result>) => Promise<Result>;
  /** Sends a request that does not end with the call. */
  sendLast: (request: TaskRequest, schema: z.ZodType) => Promise<unknown>;
  onProgress: (detail: JsonObject) => void;
}

/**
 * Creates a task for a call, requests its status until it has ended, and returns its result. The result of a task that needs
 * input is requested at once: the server asks in the response. A task is cancelled when its call is.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 * @throws ToolInterruptedError with `sent` when the created task cannot be followed to its end
 */
export async function callAsTask(call: TaskCall): Promise<CallToolResult> {
  const task = { ttl: Math.max(1, call.deadline - Date.now()) };
  const created = await call.send({ method: 'tools/call', params: { ...call.params, task } }, createdSchema);
  const { taskId } = created.task;
  let last: Task = created.task;
  try {
    while (last.status === 'working') last = await pollTask(call, last);
    const result = await call.send({ method: 'tasks/result', params: { taskId } }, anyResultSchema);
    return { content: [], ...result };
  } catch (error) {
    if (call.signal.aborted || isTimeout(error)) await cancelTask(call, taskId);
    const isAnswer = error instanceof ProtocolError && last.status !== 'working';
    if (isAnswer || isTimeout(error) || isTooLarge(error)) throw error;
    throw toInterruption(call, error);
  }
}

async function pollTask({ send, signal, onProgress }: TaskCall, task: Task): Promise<Task> {
  const { taskId, pollInterval = defaultPollMs } = task;
  await sleep(Math.min(longestPollMs, Math.max(shortestPollMs, pollInterval)), undefined, { signal });
  const next = await send({ method: 'tasks/get', params: { taskId } }, taskSchema);
  onProgress({ task: taskId, status: next.status, message: next.statusMessage ?? null });
  return next;
}

/** Cancels a task, as far as its server answers: the call ends as interrupted in any case. */
async function cancelTask({ sendLast }: TaskCall, taskId: string): Promise<void> {
  await sendLast({ method: 'tasks/cancel', params: { taskId } }, anyResultSchema).catch(() => undefined);
}

function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof HoldfastError && error.code === 'RESPONSE_TOO_LARGE';
}

/** The task was created, so that not even a refused connection means that nothing was sent. */
function toInterruption({ signal }: TaskCall, error: unknown): ToolInterruptedError {
  const code = signal.aborted ? 'TOOL_TIMED_OUT' : 'TOOL_UNAVAILABLE';
  const reason = signal.aborted ? 'its time is over' : error instanceof Error ? error.message : String(error);
  const message = `The task of the MCP server could not be followed to its end: ${reason}`;
  return new ToolInterruptedError(code, message, { sent: true, cause: error });
}
