import { setTimeout as sleep } from 'node:timers/promises';
import {
  isInputRequiredResult,
  type CallToolResult,
  type InputRequiredResult,
} from '@modelcontextprotocol/client';
import { HoldfastError } from '../../domain/errors.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { redactJson } from '../../domain/redact.ts';
import type { CallDialogue, ResumedCall } from '../../domain/question.ts';
import type { ToolOutcome, ToolResult } from '../../domain/tool.ts';
import { ToolInterruptedError } from '../../domain/tool-interrupted.ts';
import {
  defaultCallTimeoutMs,
  isForgottenSession,
  toCallFailure,
  toConnectFailure,
  toConnectTimeout,
  toForgetfulServer,
  toOpenCircuit,
} from './call-errors.ts';
import { isTransportFailure, type CircuitBreaker } from './circuit-breaker.ts';
import { createElicit } from './elicitation.ts';
import { findRequiredUrls, toRequiredInput } from './input-required.ts';
import type { McpSession, StartErrors } from './mcp-session.ts';
import type { SessionPool, Lease } from './session-pool.ts';
import { runRequest, type Elicit } from './pending-request.ts';
import { bothRedact, redactError, redactResult } from './redact-result.ts';
import type { McpEndpoint, McpTarget } from './target.ts';
import { callAsTask } from './task-call.ts';
import { toToolResult, type KeepBinary } from './tool-result.ts';

/** The field of `_meta` in `tools/call` that carries the idempotency key of a call, for servers that know it. */
const idempotencyKeyMeta = 'holdfast/idempotencyKey';

/** One call of a tool of an MCP server. */
export interface McpToolCall {
  target: McpTarget;
  tool: string;
  arguments: JsonObject;
  idempotencyKey?: string;
  /** Limit of the whole call, connecting included; progress does not extend it. @default 25 000 */
  timeoutMs?: number;
  signal?: AbortSignal;
  onProgress?: (detail: JsonValue) => void;
  /** Stores the binary parts of the result; without it the result only describes them. */
  keepBinary?: KeepBinary;
  /** Lets the server ask people; without it the server gets no answers. */
  dialogue?: CallDialogue | undefined;
}

/** How often a server may ask to be called again with nothing but its state, and the pause before that in milliseconds. */
const mostStateRounds = 10;
const statePauseMs = 250;

/** How long the cancellation of a task may take, in milliseconds. */
const cancelWithinMs = 2_000;

interface ToolCallerOptions {
  pool: SessionPool;
  breaker: CircuitBreaker;
  toEndpoint: (target: McpTarget) => McpEndpoint;
  maxTextBytes: number;
  startErrors: StartErrors;
}

interface Attempt {
  call: McpToolCall;
  endpoint: McpEndpoint;
  timeoutMs: number;
  deadline: number;
  /** Fires when the caller aborts or the time is over. */
  signal: AbortSignal;
}

/** Sends a call, or lets it continue with the answers of people. */
async function requestTool(
  session: McpSession,
  attempt: Attempt,
  resumed: ResumedCall | null,
): Promise<CallToolResult | InputRequiredResult> {
  const { call, endpoint, deadline } = attempt;
  const { onProgress, dialogue } = call;
  const redact = bothRedact(endpoint, session);
  const remainingMs = Math.max(1, deadline - Date.now());
  const toolDefinition = session.findTool(call.tool);
  const over = new AbortController();
  const elicit =
    dialogue && createElicit({ dialogue, deadline, over: over.signal, label: endpoint.label, redact });
  if (elicit) session.elicitations.add(elicit);
  const report = onProgress && ((detail: JsonObject) => onProgress(redactJson(detail, redact)));
  try {
    if (await runsAsTask(session, attempt)) return await requestTask(session, attempt, { elicit, report });
    return await runRequest({ signal: call.signal, elicit }, (pending) =>
      session.client.callTool(toParams(call, resumed), {
        signal: pending.signal,
        timeout: remainingMs,
        maxTotalTimeout: remainingMs,
        // Input that a server asks for before it continues (2026-07-28) may take longer than any request.
        allowInputRequired: dialogue !== undefined,
        ...(toolDefinition ? { toolDefinition } : {}),
        ...(report ? { onprogress: (progress) => report(progress as JsonObject) } : {}),
      }),
    );
  } finally {
    over.abort();
    if (elicit) session.elicitations.delete(elicit);
  }
}

/** Returns whether a call runs as a task. The tools of a server that takes tasks are listed when they are not known. */
async function runsAsTask(session: McpSession, { call, deadline }: Attempt): Promise<boolean> {
  const { client } = session;
  if (client.getServerCapabilities()?.tasks?.requests?.tools?.call === undefined) return false;
  if (session.needsTask(call.tool) === null) {
    const timeout = Math.max(1, deadline - Date.now());
    const { tools } = await runRequest({ signal: call.signal }, ({ signal }) =>
      client.listTools(undefined, { signal, timeout, maxTotalTimeout: timeout }),
    );
    session.noteTools(tools);
  }
  return session.needsTask(call.tool) === true;
}

interface TaskParts {
  elicit: Elicit | undefined;
  report: ((detail: JsonObject) => void) | undefined;
}

function requestTask(
  { client }: McpSession,
  { call, deadline, signal }: Attempt,
  { elicit, report }: TaskParts,
): Promise<CallToolResult> {
  return callAsTask({
    params: toParams(call, null),
    ...{ deadline, signal },
    send: (request, schema) =>
      runRequest({ signal: call.signal, elicit }, (pending) => {
        const timeout = Math.max(1, deadline - Date.now());
        return client.request(request, schema, { signal: pending.signal, timeout, maxTotalTimeout: timeout });
      }),
    sendLast: (request, schema) =>
      runRequest({}, () => client.request(request, schema, { timeout: cancelWithinMs })),
    onProgress: (detail) => report?.(detail),
  });
}

function toParams({ tool, arguments: input, idempotencyKey }: McpToolCall, resumed: ResumedCall | null) {
  const meta = idempotencyKey === undefined ? {} : { _meta: { [idempotencyKeyMeta]: idempotencyKey } };
  const { answers = {}, requestState } = resumed ?? {};
  return {
    ...{ name: tool, arguments: input, ...meta },
    ...(Object.keys(answers).length > 0 ? { inputResponses: answers } : {}),
    ...(requestState === undefined ? {} : { requestState }),
  };
}

/** Sends a call, and again while its server wants nothing but its own state back. */
async function requestUntilAnswered(session: McpSession, attempt: Attempt) {
  let resumed = attempt.call.dialogue?.resumed ?? null;
  for (let round = 1; ; round++) {
    const answer = await requestTool(session, attempt, resumed);
    if (!isInputRequiredResult(answer) || round === mostStateRounds) return answer;
    const { inputRequests = {}, requestState } = answer;
    if (Object.keys(inputRequests).length > 0) return answer;
    resumed = { answers: {}, ...(requestState === undefined ? {} : { requestState }) };
    await sleep(statePauseMs, undefined, { signal: attempt.signal });
  }
}

/**
 * Translates an error of connecting: nothing of the call was sent.
 * @throws the reason of the caller's signal, when that has fired
 */
function toUnconnected(
  { call, endpoint, timeoutMs, signal }: Attempt,
  { error, startErrors }: Pick<ToolCallerOptions, 'startErrors'> & { error: unknown },
): ToolResult {
  call.signal?.throwIfAborted();
  if (!signal.aborted) return toConnectFailure(endpoint.label, error, endpoint.redact);
  const { label, key } = endpoint;
  throw toConnectTimeout({ label, timeoutMs, startError: startErrors.get(key), cause: error });
}

/** Counts a timeout against the session; any other failure shows that the server still answers. */
function noteSilence(session: McpSession, error: unknown): void {
  const isTimeout = error instanceof ToolInterruptedError && error.code === 'TOOL_TIMED_OUT';
  session.noteAnswer(!isTimeout);
}

function createAttempts({ pool, maxTextBytes, startErrors }: ToolCallerOptions) {
  const keepNothing: KeepBinary = () => Promise.resolve({ id: null });

  const callOver = async (session: McpSession, attempt: Attempt): Promise<ToolOutcome | 'forgotten'> => {
    const { call, endpoint, timeoutMs } = attempt;
    const redact = bothRedact(endpoint, session);
    let answer: CallToolResult | InputRequiredResult;
    const server = { label: endpoint.label, redact };
    try {
      answer = await requestUntilAnswered(session, attempt);
      session.noteAnswer(true);
    } catch (error) {
      call.signal?.throwIfAborted();
      const waits = call.dialogue && findRequiredUrls(error, server);
      if (waits) return waits;
      if (isForgottenSession(error, { hasId: session.hasId() })) {
        pool.retire(endpoint, session);
        return 'forgotten';
      }
      try {
        const brokenBy = session.brokenBy();
        return toCallFailure({ server: endpoint.label, timeoutMs, error, brokenBy, redact });
      } catch (interruption) {
        noteSilence(session, interruption);
        throw interruption;
      }
    }
    if (isInputRequiredResult(answer)) return toRequiredInput(answer, server);
    return toToolResult(answer, { maxTextBytes, keep: call.keepBinary ?? keepNothing, redact });
  };

  return async (attempt: Attempt): Promise<ToolOutcome | 'forgotten'> => {
    let lease: Lease;
    try {
      lease = await pool.lend(attempt.endpoint, attempt.signal);
    } catch (error) {
      return toUnconnected(attempt, { error, startErrors });
    }
    const { session, release } = lease;
    try {
      const result = await callOver(session, attempt);
      return result === 'forgotten' ? result : redactResult(result, session.redact);
    } catch (error) {
      throw redactError(error, session.redact);
    } finally {
      release();
    }
  };
}

/** Creates the function that calls tools over the sessions of a pool. */
export function createToolCaller(options: ToolCallerOptions) {
  const { breaker, toEndpoint } = options;
  const attemptCall = createAttempts(options);

  /** Calls once more when the server has forgotten the session: it then has not read the first request. */
  const callTwice = async (attempt: Attempt): Promise<ToolOutcome> => {
    const first = await attemptCall(attempt);
    if (first !== 'forgotten') return first;
    const second = await attemptCall(attempt);
    if (second !== 'forgotten') return second;
    throw toForgetfulServer(attempt.endpoint.label);
  };

  /** Refuses the call while the circuit of the server is open, and counts its outcome. */
  const callWatched = async (call: McpToolCall, endpoint: McpEndpoint): Promise<ToolOutcome> => {
    const refusedUntil = breaker.refusedUntil(endpoint.key);
    if (refusedUntil !== null) throw toOpenCircuit(endpoint.label, refusedUntil);
    const timeoutMs = call.timeoutMs ?? defaultCallTimeoutMs;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
    try {
      const result = await callTwice({ call, endpoint, timeoutMs, signal, deadline: Date.now() + timeoutMs });
      breaker.noteSuccess(endpoint.key);
      return redactResult(result, endpoint.redact);
    } catch (error) {
      if (error instanceof ToolInterruptedError && isTransportFailure(error))
        breaker.noteFailure(endpoint.key);
      throw redactError(error, endpoint.redact);
    }
  };

  return async (call: McpToolCall): Promise<ToolOutcome> => {
    call.signal?.throwIfAborted();
    try {
      return await callWatched(call, toEndpoint(call.target));
    } catch (error) {
      if (!isUnusableTarget(error)) throw error;
      const code = error.code === 'NOT_FOUND' ? 'INVALID_TOOL_CONFIG' : error.code;
      return { status: 'failed', error: { code, message: error.message } };
    }
  };
}

/** Returns true for errors that a retry cannot mend: the target is not configured, or has no address. */
function isUnusableTarget(error: unknown): error is HoldfastError {
  return (
    error instanceof HoldfastError && (error.code === 'NOT_FOUND' || error.code === 'TOOL_MISCONFIGURED')
  );
}
