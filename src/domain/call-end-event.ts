import type { ErrorInfo } from './errors.ts';
import type { NewEvent } from './event.ts';
import { toPreview } from './text.ts';
import type { ToolCallStatus } from './turn.ts';

/** A call that has ended without running here. */
interface EndedCall {
  id: string;
  iteration: number;
  index: number;
  name: string;
  status: Exclude<ToolCallStatus, 'requested' | 'started'>;
  result?: string | null | undefined;
  error?: ErrorInfo | { code: string; message: string } | null | undefined;
  /** The rule that blocked it. */
  rule?: string | null;
  durationMs: number;
}

/** Returns the event that the end of a call would have written if it had run here. */
export function toCallEndEvent({ id, iteration, index, name, durationMs, ...end }: EndedCall): NewEvent {
  const place = { toolCallId: id, iteration, index, name };
  const error = end.error ?? { code: 'TOOL_FAILED', message: `The call ended as ${end.status}.` };
  switch (end.status) {
    case 'succeeded':
      return {
        type: 'tool.executed',
        payload: { ...place, durationMs, resultPreview: toPreview(end.result ?? '') },
      };
    case 'failed':
      return { type: 'tool.failed', payload: { ...place, durationMs, error } };
    case 'blocked':
      return { type: 'tool.blocked', payload: { ...place, rule: end.rule ?? 'policy', error } };
    case 'skipped':
      return { type: 'tool.skipped', payload: { ...place, error } };
    case 'unknown':
      return { type: 'tool.unknown', payload: { ...place, error } };
  }
}
