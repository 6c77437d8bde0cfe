import { createHash } from 'node:crypto';
import type { ImportedTurn } from './imported-rows.ts';
import type { JsonObject } from '../../domain/json.ts';
import { countAnswer } from '../../domain/model-context.ts';
import type { RecordedPart } from '../../domain/recorded-part.ts';
import type { RecordedCall, RecordedStep, Recording } from '../../domain/recording.ts';
import { isUuid } from '../../domain/uuid.ts';
import { toImportedId } from '../../platform/lib/ids.ts';
import { toImportedCompactions, toSummaryMessages } from './to-imported-compactions.ts';
import { toImportedEvents } from './to-imported-events.ts';

/** A call that had not ended when it was recorded is imported as `unknown`. */
function toEndedStatus({ status }: RecordedCall): Exclude<RecordedCall['status'], 'requested' | 'started'> {
  return status === 'requested' || status === 'started' ? 'unknown' : status;
}

/** Maps a recording to the rows of a workspace. Its ids follow from those of the file, so that no turn is stored twice. */
export function toImportedTurn(workspaceId: string, recording: Recording): ImportedTurn {
  const { conversation, turn, message, steps } = recording;
  const toId = (kind: string, id: string) => toImportedId(workspaceId, kind, id);
  const turnId = toId('turn', turn.id);
  const at = turn.settledAt ?? turn.createdAt;
  const calls = steps.flatMap((step) => step.toolCalls.map((call) => toCall(step, call, { turn, at, toId })));
  const compactions = toImportedCompactions(recording, toId);
  const messages = [...toMessages(recording, turnId, toId), ...toSummaryMessages(compactions)];
  const events = toImportedEvents(recording, { turnId, calls, messages, compactions });
  return {
    conversationId: toId('conversation', conversation.id),
    turnId,
    messageId: messages[0]?.id ?? turnId,
    ordinal: turn.ordinal,
    status: turn.outcome,
    answer: turn.answer,
    responseSchema: turn.responseSchema,
    answerJson: turn.answerJson,
    error: turn.error,
    iterations: turn.iterations,
    usage: turn.usage,
    hidden: turn.hidden,
    parentTurnId: turn.parent && toId('turn', turn.parent.turnId),
    parentCallId: turn.parent?.toolCallId
      ? toId('call', `${turn.parent.turnId}\n${turn.parent.toolCallId}`)
      : null,
    steered: steps.reduce((sum, step) => sum + step.messages.length, 0),
    createdAt: turn.createdAt,
    startedAt: turn.startedAt ?? turn.createdAt,
    settledAt: at,
    characters: turn.hidden ? 0 : countCharacters(recording),
    requestHash: createHash('sha256').update(message.text).digest('hex'),
    messages,
    calls,
    compactions,
    modelCalls: steps.map((step) => ({
      id: toId('usage', `${turn.id}\n${step.iteration}`),
      iteration: step.iteration,
      model: step.model,
      answeredBy: step.answeredBy,
      toolChoice: step.toolChoice,
      leftOut: step.leftOut.length === 0 ? null : step.leftOut,
      sampling: step.sampling as JsonObject | null,
      contextFrom: step.contextFrom,
      ...step.usage,
    })),
    events,
  };
}

type ToId = (kind: string, id: string) => string;
type ImportedMessage = ImportedTurn['messages'][number];

function toMessages({ turn, message, steps }: Recording, turnId: string, toId: ToId): ImportedMessage[] {
  const create = (name: string, iteration: number, parts: Partial<ImportedMessage>): ImportedMessage => ({
    id: toId('message', `${turn.id}\n${name}`),
    iteration,
    steeredOrdinal: 0,
    role: 'assistant',
    text: '',
    parts: null,
    finishReason: null,
    providerContent: null,
    refused: null,
    createdAt: turn.createdAt,
    ...parts,
  });
  let steered = turn.ordinal;
  const ofSteps = steps.flatMap((step) => [
    ...step.messages.map(({ text, parts }) => {
      steered += 1;
      return create(`steered ${steered}`, step.iteration - 1, {
        role: 'user',
        text,
        parts: toParts(parts, toId),
        steeredOrdinal: steered,
      });
    }),
    create(`step ${step.iteration}`, step.iteration, {
      text: step.text,
      finishReason: step.finishReason,
      providerContent: step.providerContent,
      refused: step.refused,
      createdAt: step.createdAt ?? turn.createdAt,
    }),
  ]);
  const last = steps.at(-1)?.iteration ?? 0;
  const closing =
    turn.closing === null
      ? []
      : [create('closing', last + 1, { text: turn.closing, createdAt: turn.settledAt ?? turn.createdAt })];
  const parts = toParts(message.parts, toId);
  return [create('message', 0, { role: 'user', text: message.text, parts }), ...ofSteps, ...closing];
}

/** Ids of other programs become ones that a part can have; they name no file here. */
function toParts(parts: RecordedPart[] | null, toId: ToId): RecordedPart[] | null {
  if (parts === null) return null;
  return parts.map((part) =>
    'fileId' in part && !isUuid(part.fileId) ? { ...part, fileId: toId('file', part.fileId) } : part,
  );
}

function toCall(
  { iteration }: RecordedStep,
  call: RecordedCall,
  { turn, at, toId }: { turn: Recording['turn']; at: string; toId: ToId },
) {
  const position = `${toId('turn', turn.id)}\n${iteration}\n${call.index}`;
  const status = toEndedStatus(call);
  const input = JSON.stringify(call.arguments ?? call.invalidArguments ?? null);
  const shownId = call.shownId ?? call.id;
  const unknown = { code: 'TOOL_UNKNOWN', message: 'The call was not over when it was recorded.' };
  return {
    // Some models repeat the ids of their calls from turn to turn.
    id: toId('call', call.id === null ? position : `${turn.id}\n${call.id}`),
    // Models have said it, as in calls that read results, and still see it.
    recordedCallId: shownId !== null && isUuid(shownId) ? shownId : null,
    iteration,
    index: call.index,
    key: createHash('sha256').update(`imported\n${position}`).digest('hex'),
    modelCallId: call.modelCallId,
    name: call.name,
    tool: call.type === null ? null : { type: call.type, name: call.name },
    effect: call.effect,
    arguments: call.arguments,
    invalidArguments: call.invalidArguments,
    argumentsHash: createHash('sha256').update(input).digest('hex'),
    status,
    attempts: call.attempts,
    result: call.result,
    resultBytes: call.resultBytes ?? (call.result === null ? null : Buffer.byteLength(call.result)),
    error: call.error ?? (status === 'unknown' ? unknown : null),
    childTurnId: call.childTurnId && toId('turn', call.childTurnId),
    startedAt: call.startedAt ?? at,
    endedAt: call.endedAt ?? at,
  };
}

/** Counts as the statements of a live turn do, since the window of a later model call is found by it. */
function countCharacters({ message, steps, turn }: Recording): number {
  const ofSteps = steps.map(({ text, messages, toolCalls }) => {
    const steered = messages.reduce((sum, one) => sum + one.text.length, 0);
    const results = toolCalls.reduce(
      (sum, { result, error }) => sum + (result ?? error?.message ?? '').length,
      0,
    );
    return steered + countAnswer(text, toolCalls) + results;
  });
  return ofSteps.reduce((sum, count) => sum + count, message.text.length + (turn.closing ?? '').length);
}
