import { toCallEndEvent } from '../../domain/call-end-event.ts';
import { toDurationMs } from '../../domain/duration.ts';
import type { NewEvent } from '../../domain/event.ts';
import type { Recording } from '../../domain/recording.ts';
import type { RefusedAnswer } from '../../domain/response-schema.ts';
import { toPreview } from '../../domain/text.ts';
import type { ToolType } from '../../domain/tool.ts';
import type { ImportedTurn } from './imported-rows.ts';
import { toCompactionEvent } from './to-imported-compactions.ts';

type ImportedCall = ImportedTurn['calls'][number];

interface ImportedParts {
  turnId: string;
  calls: ImportedCall[];
  messages: ImportedTurn['messages'];
  compactions: ImportedTurn['compactions'];
}

/** An event with its time. */
type TimedEvent = NewEvent & { createdAt: string };

/** Returns the events that the turn would have written here, so that streams and timelines show it. */
export function toImportedEvents(recording: Recording, parts: ImportedParts): TimedEvent[] {
  const { turn, message } = recording;
  const settledAt = turn.settledAt ?? turn.createdAt;
  const settled: NewEvent = {
    type: 'turn.settled',
    payload: {
      outcome: turn.outcome,
      answer: turn.answer ?? turn.closing ?? '',
      ...(turn.answerJson && { answerJson: turn.answerJson }),
      error: turn.error,
      iterations: turn.iterations,
      usage: turn.usage,
    },
  };
  const called = new Set(recording.steps.map(({ iteration }) => iteration));
  return [
    at(turn.createdAt, { type: 'turn.started', payload: { message: toPreview(message.text) } }),
    ...recording.steps.flatMap((step) => toStepEvents(step, recording, parts)),
    // A compaction is followed by no step when the model call after it has failed.
    ...parts.compactions.filter(({ iteration }) => !called.has(iteration)).map(toCompactionEvent),
    at(settledAt, settled),
  ];
}

function at(createdAt: string, event: NewEvent): TimedEvent {
  return { ...event, createdAt };
}

function toStepEvents(
  { iteration, answeredBy, usage, text, refused }: Recording['steps'][number],
  { turn }: Recording,
  { turnId, calls, messages, compactions }: ImportedParts,
): TimedEvent[] {
  const answer = messages.find((one) => one.role === 'assistant' && one.iteration === iteration);
  const steered = messages.filter((one) => one.steeredOrdinal > 0 && one.iteration === iteration - 1);
  const own = calls.filter((call) => call.iteration === iteration);
  const toolCalls = own.map((call) => ({
    ...toPlace(call),
    type: (call.tool?.type ?? null) as ToolType | null,
    arguments: call.arguments,
  }));
  const createdAt = answer?.createdAt ?? turn.createdAt;
  const payload = { messageId: answer?.id ?? turnId, iteration, text, model: answeredBy, usage, toolCalls };
  return [
    ...steered.map((one) => {
      const message = { messageId: one.id, message: toPreview(one.text), iteration, steeredTurnId: turnId };
      return at(createdAt, { type: 'message.steered', payload: message });
    }),
    ...compactions.filter((one) => one.iteration === iteration).map(toCompactionEvent),
    at(createdAt, { type: 'message.created', payload }),
    ...(refused ? [at(createdAt, toRejection(payload, refused))] : []),
    ...own.map((call) =>
      at(call.startedAt, { type: 'tool.started', payload: { ...toPlace(call), attempt: 1 } }),
    ),
    ...own.map((call) => at(call.endedAt, toEndEvent(call))),
  ];
}

function toRejection(
  { messageId, iteration }: { messageId: string; iteration: number },
  { errors }: RefusedAnswer,
): NewEvent {
  return { type: 'answer.rejected', payload: { messageId, iteration, errors } };
}

function toPlace({ id, iteration, index, name }: ImportedCall) {
  return { toolCallId: id, iteration, index, name };
}

function toEndEvent(call: ImportedCall): NewEvent {
  const durationMs = toDurationMs(new Date(call.startedAt), new Date(call.endedAt)) ?? 0;
  return toCallEndEvent({ ...call, durationMs });
}
