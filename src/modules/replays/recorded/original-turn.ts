import type { ContextMessage, ContextToolCall } from '../../../domain/model-context.ts';
import type { ModelSettings } from '../../../domain/model-settings.ts';
import { toModelCostUsd } from '../../../domain/price-table.ts';
import type { Prices } from '../../../domain/prices.ts';
import type { CallAnswer, ReplayedCall, ReplayedTurn } from '../../../domain/replay.ts';
import type { Turn } from '../../../domain/turn.ts';
import { toKeptMessage, toKeptResult, toKeptStep } from './kept-texts.ts';

/** A stored call; `answeredBy` and `recordedCallId` are set for one that did not run in its turn. */
export interface OriginalCall extends ContextToolCall {
  answeredBy?: CallAnswer | null;
  recordedCallId?: string | null;
}

/** A turn as it was stored, with its own messages. */
export interface OriginalTurn {
  turn: Turn;
  version: { model: string; modelSettings?: Pick<ModelSettings, 'promptCaching'> };
  /** The message of the user. */
  message: string;
  answers: (Pick<ContextMessage, 'iteration' | 'text'> & { toolCalls: OriginalCall[] | null })[];
}

/** A stored turn in the form of its replays, for comparison. */
export function toOriginalTurn(
  { turn, version, message, answers }: OriginalTurn,
  prices: Prices,
): ReplayedTurn {
  return {
    turnId: turn.id,
    message: toKeptMessage(message),
    outcome: turn.outcome ?? 'failed',
    answer: turn.answer ?? '',
    answerJson: turn.answerJson,
    error: turn.error,
    steps: answers.map(({ iteration, text, toolCalls }) => ({
      iteration,
      text: toKeptStep(text),
      calls: (toolCalls ?? []).map(toOriginalCall),
    })),
    unasked: [],
    usage: turn.usage,
    costUsd: toModelCostUsd({ ...version.modelSettings, model: version.model }, turn.usage, prices),
    durationMs: toDurationMs(turn),
  };
}

function toOriginalCall(call: OriginalCall): ReplayedCall {
  const {
    id,
    name,
    arguments: input,
    status,
    result,
    error,
    answeredBy = null,
    recordedCallId = null,
  } = call;
  return {
    ...{ name, arguments: input, status, answeredBy, recordedCallId: recordedCallId ?? id },
    result: toKeptResult({ result, error }),
    rule: status === 'blocked' ? 'recorded' : null,
  };
}

function toDurationMs({ startedAt, settledAt }: Turn): number {
  return startedAt && settledAt ? Date.parse(settledAt) - Date.parse(startedAt) : 0;
}
