import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { FailedResult, ToolResult } from '../../domain/tool.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { findBaseUrl } from './base-url.ts';
import { parseTemplate, toFetchRequest, type BuiltRequest, type RequestInput } from './build-request.ts';
import type { Poll } from './define-operation.ts';
import { keepPaths, readPath } from './read-answer.ts';
import { fillHeaders, fillPath, listPlaceholders } from './request-path.ts';
import { maxWaitOf, type ReadAnswer } from './send-request.ts';
import { sendCall, type OperationCall } from './send-call.ts';
import { toSuccess } from './vendor-result.ts';

const defaultEveryMs = 2_000;

interface StartedJob {
  poll: Poll;
  input: RequestInput;
  /** The answer to the request that started the job. */
  started: ReadAnswer;
}

/**
 * Asks for the state of a job until it ends. The job runs at the vendor whatever happens here, so an error of a status
 * request, and the end of the time, are answers that say how to ask later.
 */
export async function pollJob(
  call: OperationCall,
  { poll, input, started }: StartedJob,
): Promise<ToolResult> {
  const { everyMs = defaultEveryMs } = poll;
  const names = readNames(poll, input, started.body);
  let latest = started;
  while (!isEnd(poll, latest)) {
    if (!hasAll(poll, names) || maxWaitOf(call.time) < everyMs)
      return toPending(call, poll, { names, latest });
    await sleep(everyMs, undefined, call.time.signal ? { signal: call.time.signal } : {}).catch(() => {
      call.time.signal?.throwIfAborted();
    });
    const outcome = await askState(call, toStatusRequest(call, poll, names));
    if (outcome === null || outcome.status === 'failed')
      return toPending(call, poll, { names, latest, reason: outcome?.error.message });
    latest = outcome.answer;
  }
  return poll.failed?.includes(stateOf(poll, latest)) === true
    ? toFailed(call, poll, latest)
    : toSuccess(call.found.operation, latest, call.connection.redact);
}

/** Null when no answer came: the job continues. */
async function askState(call: OperationCall, request: BuiltRequest) {
  try {
    return await sendCall(call, request);
  } catch (error) {
    call.time.signal?.throwIfAborted();
    if (error instanceof HoldfastError) return null;
    throw error;
  }
}

function stateOf({ state }: Poll, { body }: ReadAnswer): JsonValue {
  return readPath(body, state) ?? null;
}

function isEnd(poll: Poll, answer: ReadAnswer): boolean {
  const state = stateOf(poll, answer);
  return poll.done.includes(state) || poll.failed?.includes(state) === true;
}

function readNames({ request, from = {} }: Poll, input: RequestInput, answer: JsonValue): JsonObject {
  const names = listPlaceholders(request).map((name): [string, JsonValue] => {
    const path = from[name];
    return [
      name,
      path === undefined
        ? ((input[name] as JsonValue | undefined) ?? null)
        : (readPath(answer, path) ?? null),
    ];
  });
  return Object.fromEntries(names);
}

function hasAll({ request }: Poll, names: JsonObject): boolean {
  return listPlaceholders(request).every((name) => names[name] !== null && names[name] !== undefined);
}

function toStatusRequest({ connection, provider, found }: OperationCall, poll: Poll, names: JsonObject) {
  const { method, path } = parseTemplate(poll.request);
  const base = findBaseUrl(connection, provider, found.operation);
  const headers = fillHeaders(found.operation.headers, names);
  return toFetchRequest(provider, base, { method, path: fillPath(path, names), headers });
}

interface PendingJob {
  names: JsonObject;
  latest: ReadAnswer;
  reason?: string | undefined;
}

function toPending(call: OperationCall, poll: Poll, { names, latest, reason }: PendingJob): ToolResult {
  const { provider, connection, found } = call;
  const answer = {
    finished: false,
    state: stateOf(poll, latest),
    note: `${provider.title} is still working on it. Do not start it again: ask later with ${provider.name}_${poll.later}.`,
    ask_later_with: names,
    ...(reason === undefined ? {} : { last_error: reason }),
    latest: keepPaths(latest.body, found.operation.keep),
  };
  return { status: 'succeeded', text: connection.redact(JSON.stringify(answer)) };
}

function toFailed(
  { provider, connection, found }: OperationCall,
  poll: Poll,
  answer: ReadAnswer,
): FailedResult {
  const state = JSON.stringify(stateOf(poll, answer)).replaceAll('"', '');
  const kept = keepPaths(answer.body, found.operation.keep);
  const details = isJsonObject(kept)
    ? (JSON.parse(connection.redact(JSON.stringify(kept))) as JsonValue)
    : null;
  const message = `${provider.title}: The job ended as ${state}.`;
  return { status: 'failed', error: { code: 'TOOL_FAILED', message: connection.redact(message), details } };
}
