import { toDurationMs } from '../../src/domain/duration.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import type { JsonValue } from '../../src/domain/json.ts';
import { modelResultCharacters } from '../../src/domain/model-context.ts';
import type { RuleViolation } from '../../src/domain/rules.ts';
import { toPreview } from '../../src/domain/text.ts';
import type { Tool, ToolResult } from '../../src/domain/tool.ts';
import type { ChildCallEnd } from '../../src/engines/tools/children/child-call.ts';
import type { ToolCallRow } from '../../src/modules/turns/calls/tool-call-rows.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import { capContent, capResult } from './cap-result.ts';

/** The columns of a ledger row that its end is built from. */
export type EndingToolCall = Pick<
  ToolCallRow,
  'id' | 'iteration' | 'index' | 'name' | 'effect' | 'tool' | 'connector' | 'target' | 'started_at'
>;

/** The end of a call that answered, whether with a result or with the tool's own "no". */
export function toAnsweredEnd(call: EndingToolCall, result: ToolResult): ToolCallEnd {
  if (result.status === 'succeeded') return toSucceededEnd(call, result);
  const error = result.error as ErrorInfo;
  // The answer came, so the call took effect, and a failure would invite the model to make it again.
  return error.code === 'RESPONSE_TOO_LARGE' && call.effect !== 'read_only'
    ? toSucceededEnd(call, { ...result, ...toCutResult(call, error) })
    : toFailedEnd(call, error, result.creditsUsed);
}

function toCutResult({ name }: EndingToolCall, { message, details }: ErrorInfo) {
  const text = `${name} ran, but its answer is too large to be shown. ${message}`;
  const { readBytes = 1 } = (details ?? {}) as { readBytes?: number };
  return { status: 'succeeded' as const, text, truncatedBytes: readBytes };
}

/**
 * The end of a call by all of its attempts: once an earlier one may have acted, a later one that was refused does not
 * mean that nothing took effect, so the outcome is unknown.
 */
export function withEarlierAttempts(call: ClaimedToolCall, end: ToolCallEnd): ToolCallEnd {
  // A call that was refused when the model's answer was stored (`error`) was sent by no attempt.
  const mayHaveActed = call.status_before === 'started' && call.effect !== 'read_only' && !call.error;
  if (!mayHaveActed || !end.error || end.status === 'unknown') return end;
  const refusal = `${end.error.code}: ${toPreview(end.error.message, 300)}`;
  return toUnknownEnd(call, `a later attempt was refused (${refusal})`, end.error.details);
}

/** The end of a call that started a child. */
export function toChildEnd(call: EndingToolCall, end: ChildCallEnd): ToolCallEnd {
  return end.status === 'unknown' ? toUnknownEnd(call, end.reason) : toAnsweredEnd(call, end);
}

function toSucceededEnd(call: EndingToolCall, result: ToolResult & { status: 'succeeded' }): ToolCallEnd {
  const capped = capResult(result);
  const durationMs = toDuration(call);
  const credits = chargeOf(call.tool, true, result.creditsUsed);
  return {
    ...credits,
    id: call.id,
    status: 'succeeded',
    result: capped.text,
    content: capContent(result.content),
    resultBytes: capped.bytes,
    resultTruncated: capped.truncated,
    event: {
      type: 'tool.executed',
      payload: { ...toPosition(call), durationMs, resultPreview: toPreview(capped.text), ...credits },
    },
    audit: toAudit('tool.executed', call, { durationMs, error: null }),
  };
}

/** The end of a call that failed without an effect; a tool may charge for a call that it refused. */
export function toFailedEnd(call: EndingToolCall, failure: ErrorInfo, charged?: string): ToolCallEnd {
  const durationMs = toDuration(call);
  const error = capError(failure);
  const charge = chargeOf(call.tool, false, charged);
  const credits = charge.creditsUsed === '0' ? {} : charge;
  return {
    ...charge,
    id: call.id,
    status: 'failed',
    error,
    event: { type: 'tool.failed', payload: { ...toPosition(call), durationMs, error, ...credits } },
    audit: toAudit('tool.failed', call, { durationMs, error }),
  };
}

/** The end of a call that a rule stopped before anything was sent. */
export function toBlockedEnd(call: EndingToolCall, { rule, message, field }: RuleViolation): ToolCallEnd {
  const error = capError({
    code: rule === 'quarantine' ? 'TOOL_QUARANTINED' : 'TOOL_BLOCKED',
    message: `${message} Nothing was sent.`,
    details: { rule, ...(field === undefined ? {} : { field }) },
  });
  const audit = toAudit('tool.blocked', call, { durationMs: 0, error });
  return {
    ...chargeOf(call.tool, false),
    id: call.id,
    status: 'blocked',
    error,
    event: { type: 'tool.blocked', payload: { ...toPosition(call), rule, error } },
    audit: { ...audit, payload: { ...audit.payload, rule } },
  };
}

/** The end of a call that did not begin, since a message of the user came first. */
export function toSkippedEnd(call: EndingToolCall): ToolCallEnd {
  const error = capError({
    code: 'TOOL_SKIPPED',
    message: `${call.name} was not run, since the user sent another message before it began.`,
  });
  return {
    ...chargeOf(call.tool, false),
    id: call.id,
    status: 'skipped',
    error,
    event: { type: 'tool.skipped', payload: { ...toPosition(call), error } },
    audit: toAudit('tool.skipped', call, { durationMs: 0, error }),
  };
}

/** The end of a call that may or may not have taken effect. It is never run again. */
export function toUnknownEnd(call: EndingToolCall, why: string, details?: JsonValue): ToolCallEnd {
  const error = capError({
    code: 'TOOL_OUTCOME_UNKNOWN',
    message:
      `The outcome of ${call.name} is unknown: ${why} after it may have taken effect. ` +
      `${call.effect === 'unsafe' ? 'It was not repeated. ' : ''}Check what happened before you call it again.`,
    ...(details === undefined ? {} : { details }),
  });
  return {
    ...chargeOf(call.tool, true),
    id: call.id,
    status: 'unknown',
    error,
    event: { type: 'tool.unknown', payload: { ...toPosition(call), error } },
    audit: toAudit('tool.failed', call, { durationMs: toDuration(call), error }),
  };
}

/** The end of a call that had no effect before the turn continued without it. */
export function toNotRunEnd(call: EndingToolCall): ToolCallEnd {
  return toFailedEnd(call, {
    code: 'TOOL_FAILED',
    message: `${call.name} did not finish: the turn went on without it.`,
  });
}

function toPosition({ id, iteration, index, name }: EndingToolCall) {
  return { toolCallId: id, iteration, index, name };
}

function toDuration({ started_at: startedAt }: EndingToolCall): number {
  return toDurationMs(startedAt, new Date()) ?? 0;
}

function toAudit(
  type: string,
  call: EndingToolCall,
  { durationMs, error }: { durationMs: number; error: ErrorInfo | null },
) {
  return {
    type,
    payload: {
      tool_name: call.target ?? call.name,
      connector_name: call.connector,
      duration_ms: durationMs,
      error: error && { code: error.code, message: toPreview(error.message) },
    },
  };
}

/** Cuts an error, which is stored, written to the event log and given to the model, to the limit for the model. */
function capError({ code, message, details }: ErrorInfo): ErrorInfo {
  const fits = details !== undefined && JSON.stringify(details).length <= modelResultCharacters;
  return { code, message: toPreview(message, modelResultCharacters), ...(fits ? { details } : {}) };
}

/** The credits of an ended call, as decimal text; none for a tool that has no price and reports none. */
type CallCharge = Pick<ToolCallEnd, 'creditsUsed'>;

/**
 * Returns what an ended call costs: by the setting of its tool when the call took effect or may have, otherwise what the tool
 * reports. A call that had no effect costs what it reports, or nothing.
 */
function chargeOf(tool: Tool | null, hadEffect: boolean, reported?: string): CallCharge {
  const price = tool?.settings?.credits;
  if (price === undefined) return reported === undefined ? {} : { creditsUsed: reported };
  return { creditsUsed: hadEffect ? price : (reported ?? '0') };
}
