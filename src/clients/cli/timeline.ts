import type { ConversationEvent, EventPayload, JsonObject, ToolCall, TurnDetails } from '../client/index.ts';
import { toDollarText } from '../../domain/dollars.ts';
import { toErrorLine } from '../../domain/response-schema.ts';
import { toOneLine } from '../../domain/text.ts';
import { toArgumentsLine, toCount, toDuration, toErrorLines, toStuckLines, toUsageLine } from './format.ts';

/** Returns a turn from its first event to its answer, with one line for each event. */
export function toTimeline(turn: TurnDetails, events: ConversationEvent[]): string[] {
  const start = Date.parse(events[0]?.createdAt ?? turn.createdAt);
  const calls = new Map(turn.toolCalls.map((call) => [call.id, call]));
  const happened = [
    ...events.map((event) => ({ at: event.createdAt, what: event.type, detail: toDetail(event, calls) })),
    ...turn.failedAttempts.map((attempt) => toFailedAttempt(attempt, turn)),
  ];
  const lines = happened
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map(({ at, what, detail }) => {
      const offset = `${((Date.parse(at) - start) / 1000).toFixed(3)} s`;
      return `${offset.padStart(11)}  ${what.padEnd(15)} ${detail}`.trimEnd();
    });
  return [...toHeader(turn), '', ...lines, ...toEnding(turn)];
}

/** A line about an attempt that failed, with its reason. */
function toFailedAttempt({ iteration, index, attempt, error, failedAt }: FailedAttempt, turn: TurnDetails) {
  const call = turn.toolCalls.find((one) => one.iteration === iteration && one.index === index);
  const step = index === null ? 'the model' : (call?.name ?? `call ${index}`);
  return { at: failedAt, what: 'attempt failed', detail: `${step}, attempt ${attempt}: ${toFailure(error)}` };
}

type FailedAttempt = TurnDetails['failedAttempts'][number];

function toHeader(turn: TurnDetails): string[] {
  const took =
    turn.settledAt === null ? [] : [toDuration(Date.parse(turn.settledAt) - Date.parse(turn.createdAt))];
  const parts = [
    `Turn ${turn.id}`,
    turn.status.replaceAll('_', ' '),
    toCount(turn.iterations, 'iteration'),
    toCount(turn.toolCalls.length, 'tool call'),
    toUsageLine(turn.usage),
    ...took,
  ];
  const place = `conversation ${turn.conversationId} · agent ${turn.agentId}`;
  return [parts.join(' · '), place, ...toStuckLines(turn.stuck)];
}

/** Says what a call waits for. */
function toWaitText({ kind, name, question }: EventPayload<'action.requested'>): string {
  if (kind === 'client_tool') return `${name} waits for the program that runs it`;
  return question === undefined
    ? `${name} waits for a person`
    : `${name} asks ${JSON.stringify(toOneLine(question, 80))}`;
}

function toDetail(event: ConversationEvent, calls: Map<string, ToolCall>): string {
  switch (event.type) {
    case 'turn.queued':
    case 'message.queued':
    case 'message.steered':
    case 'turn.started':
      return JSON.stringify(toOneLine(event.payload.message, 80));
    case 'message.promoted':
    case 'message.withdrawn':
      return '';
    case 'model.passed':
      return toPassedDetail(event.payload);
    case 'model.cut_short':
      return toCutShortDetail(event.payload);
    case 'context.compacted':
      return toCompactionDetail(event.payload);
    case 'message.created':
      return toMessageDetail(event.payload);
    case 'answer.rejected':
      return `the model is asked once more: ${toOneLine(event.payload.errors.map(toErrorLine).join('; '), 120)}`;
    case 'tool.started': {
      const { name, attempt, toolCallId } = event.payload;
      return `${name}${toArguments(calls.get(toolCallId)?.arguments)}${attempt > 1 ? ` (attempt ${attempt})` : ''}`;
    }
    case 'tool.executed':
      return `${event.payload.name}, ${toDuration(event.payload.durationMs)}: ${toOneLine(event.payload.resultPreview, 60)}`;
    case 'tool.failed':
      return `${event.payload.name}, ${toDuration(event.payload.durationMs)}: ${toFailure(event.payload.error)}`;
    case 'tool.blocked':
      return `${event.payload.name}, blocked by ${event.payload.rule.replaceAll('_', ' ')}: ${toFailure(event.payload.error)}`;
    case 'tool.skipped':
      return `${event.payload.name}, skipped: ${toFailure(event.payload.error)}`;
    case 'tool.unknown':
      return `${event.payload.name}, outcome unknown: ${toFailure(event.payload.error)}`;
    case 'tool.settled':
      return `${event.payload.name}, made again: outcome ${event.payload.status}`;
    case 'action.requested':
      return `${toWaitText(event.payload)}: ${event.payload.actionId}`;
    case 'action.reminded':
      return `${event.payload.actionId} expires ${event.payload.expiresAt}`;
    case 'action.decided': {
      const { status, reason, actionId } = event.payload;
      return `${status}: ${actionId}${reason === null ? '' : ` (${toOneLine(reason, 80)})`}`;
    }
    case 'action.cancelled':
      return `not needed any more: ${event.payload.actionId}`;
    case 'action.expired':
      return `nobody decided: ${event.payload.actionId}`;
    case 'action.granted':
      return `${event.payload.name} runs by the remembered approval ${event.payload.decidedBy.grantId ?? ''}`;
    case 'budget.warning': {
      const { scope, subject, spent, credits } = event.payload;
      return `${toDollarText(spent)} of ${toDollarText(credits)} of the budget of ${subject === null ? 'the workspace' : `the ${scope} ${subject}`} are spent`;
    }
    case 'turn.settled': {
      const { outcome, error } = event.payload;
      return `${outcome.replaceAll('_', ' ')}${error ? `: ${toFailure(error)}` : ''}`;
    }
  }
}

/** The ways in which contexts are shortened, as events report them. */
const compactions = {
  references: 'large results of old turns are references now',
  oldest_first: 'the oldest turns are left out now',
  summarize: 'the oldest turns are summarized now',
};

function toPassedDetail({ model, next, error }: EventPayload<'model.passed'>): string {
  return `${model} did not answer, ${next} is asked: ${toFailure(error)}`;
}

function toCutShortDetail({ model, usage }: EventPayload<'model.cut_short'>): string {
  return `a message ended the call of ${model}, which is asked again (${toUsageLine(usage)})`;
}

function toCompactionDetail(payload: EventPayload<'context.compacted'>): string {
  const { kind, tokensBefore, tokensAfter, error } = payload;
  const reason = error ? `, without a summary: ${toFailure(error)}` : '';
  return `${compactions[kind]}, about ${tokensAfter} tokens of ${tokensBefore}${reason}`;
}

function toMessageDetail(payload: EventPayload<'message.created'>): string {
  const { iteration, model, usage, toolCalls } = payload;
  const asked = toolCalls.length === 0 ? '' : `, asks for ${toolCalls.map(({ name }) => name).join(', ')}`;
  return `iteration ${iteration}, ${model}, ${toUsageLine(usage)}${asked}`;
}

function toArguments(values: JsonObject | null | undefined): string {
  if (values === undefined || (values !== null && Object.keys(values).length === 0)) return '';
  return ` ${toArgumentsLine(values, 60)}`;
}

function toFailure({ code, message }: { code: string; message: string }): string {
  return `${code} ${toOneLine(message, 120)}`;
}

function toEnding(turn: TurnDetails): string[] {
  const error = turn.error === null ? [] : ['', ...toErrorLines(turn.error)];
  const end = turn.answer ?? `The turn is ${turn.status.replaceAll('_', ' ')}.`;
  return [...error, '', end];
}
