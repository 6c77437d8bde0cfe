import { toDurationMs } from '../../src/domain/duration.ts';
import type { ErrorInfo } from '../../src/domain/errors.ts';
import { modelResultCharacters } from '../../src/domain/model-context.ts';
import type { RuleViolation } from '../../src/domain/rules.ts';
import { toPreview } from '../../src/domain/text.ts';
import type { ToolResult } from '../../src/domain/tool.ts';
import type { ChildCallEnd } from '../../src/tools/children/child-call.ts';
import type { ToolCallRow } from '../../src/db/turns/tool-call-rows.ts';
import type { ToolCallEnd } from '../../src/db/turns/tool-call-repository.ts';
import { capContent, capResult } from './cap-result.ts';

/** The columns of a ledger row that its end is built from. */
export type EndingToolCall = Pick<
  ToolCallRow,
  'id' | 'iteration' | 'index' | 'name' | 'effect' | 'tool' | 'connector' | 'target' | 'started_at'
>;

/** The end of a call that answered, whether with a result or with the tool's own "no". */
export function toAnsweredEnd(call: EndingToolCall, result: ToolResult): ToolCallEnd {
  return result.status === 'succeeded'
    ? toSucceededEnd(call, result)
    : toFailedEnd(call, result.error as ErrorInfo);
}

/** The end of a call that started a child. */
export function toChildEnd(call: EndingToolCall, end: ChildCallEnd): ToolCallEnd {
  return end.status === 'unknown' ? toUnknownEnd(call, end.reason) : toAnsweredEnd(call, end);
}

function toSucceededEnd(call: EndingToolCall, result: ToolResult & { status: 'succeeded' }): ToolCallEnd {
  const capped = capResult(result);
  const durationMs = toDuration(call);
  return {
    id: call.id,
    status: 'succeeded',
    result: capped.text,
    content: capContent(result.content),
    resultBytes: capped.bytes,
    resultTruncated: capped.truncated,
    event: {
      type: 'tool.executed',
      payload: { ...toPosition(call), durationMs, resultPreview: toPreview(capped.text) },
    },
    audit: toAudit('tool.executed', call, { durationMs, error: null }),
  };
}

/** The end of a call that failed without an effect. */
export function toFailedEnd(call: EndingToolCall, failure: ErrorInfo): ToolCallEnd {
  const durationMs = toDuration(call);
  const error = capError(failure);
  return {
    id: call.id,
    status: 'failed',
    error,
    event: { type: 'tool.failed', payload: { ...toPosition(call), durationMs, error } },
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
    id: call.id,
    status: 'blocked',
    error,
    event: { type: 'tool.blocked', payload: { ...toPosition(call), rule, error } },
    audit: { ...audit, payload: { ...audit.payload, rule } },
  };
}

/** The end of a call that may or may not have taken effect. It is never run again. */
export function toUnknownEnd(call: EndingToolCall, why: string): ToolCallEnd {
  const error: ErrorInfo = {
    code: 'TOOL_OUTCOME_UNKNOWN',
    message:
      `The outcome of ${call.name} is unknown: ${why} after it may have taken effect. ` +
      `${call.effect === 'unsafe' ? 'It was not repeated. ' : ''}Check what happened before you call it again.`,
  };
  return {
    id: call.id,
    status: 'unknown',
    error,
    event: { type: 'tool.unknown', payload: { ...toPosition(call), error } },
    audit: toAudit('tool.failed', call, { durationMs: toDuration(call), error }),
  };
}

/** The end of a call that had no effect before the turn went on. */
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
