import type { ConversationEvent, ErrorInfo, JsonObject, ReceivedEvent, Usage } from '../api/types.ts';

type Payload<Type extends ConversationEvent['type']> = Extract<ConversationEvent, { type: Type }>['payload'];

/** What a tool call waits for, or has waited for. */
export interface ActionLog {
  id: string;
  requested: Payload<'action.requested'>;
  status: Payload<'action.decided'>['status'];
  decision: Payload<'action.decided'> | null;
}

/** One tool call of a turn. Times are ISO 8601. */
export interface CallLog {
  id: string;
  iteration: number;
  index: number;
  name: string;
  arguments: JsonObject | null;
  status: 'requested' | 'started' | 'succeeded' | 'failed' | 'unknown' | 'blocked' | 'skipped';
  attempt: number;
  /** The beginning of the result. */
  preview: string | null;
  error: ErrorInfo | null;
  durationMs: number | null;
  action: ActionLog | null;
  requestedAt: string;
  startedAt: string | null;
  endedAt: string | null;
}

/** One iteration of a turn: an answer of the model, and the tool calls that it asked for. */
export interface StepLog {
  iteration: number;
  /** The text of the answer: so far, while it streams. */
  text: string;
  isStreaming: boolean;
  /** The attempt whose pieces the text has. */
  attempt: number;
  /** The stored answer; null while the model has not ended. */
  answer: Payload<'message.created'> | null;
  answeredAt: string | null;
  calls: readonly CallLog[];
  /** Models that did not answer, calls that a message has cut short, and answers that were refused. */
  troubles: readonly Trouble[];
}

/** What happened to a model call before its answer. */
export type Trouble = Extract<
  ConversationEvent,
  { type: 'model.passed' | 'model.cut_short' | 'answer.rejected' | 'context.compacted' }
>;

/** One turn, built from its events. */
export interface TurnLog {
  id: string;
  /** The beginning of the message of the user. */
  message: string;
  messageId: string | null;
  status: 'queued' | 'running' | 'waiting_for_approval' | Payload<'turn.settled'>['outcome'];
  onBusy: Payload<'message.queued'>['onBusy'] | null;
  steps: readonly StepLog[];
  /** Messages that the turn took while it ran. */
  steered: readonly { messageId: string; message: string; iteration: number }[];
  answer: string | null;
  error: ErrorInfo | null;
  usage: Usage | null;
  createdAt: string;
  startedAt: string | null;
  settledAt: string | null;
}

/** All turns of a conversation in their order, built from its events. */
export interface ConversationLog {
  turns: readonly TurnLog[];
  /** The number of the newest stored event; an event with this number or a lower one changes nothing. */
  seq: number;
}

export const emptyLog: ConversationLog = { turns: [], seq: 0 };

/** Returns the log after these events. It changes nothing of the log before, and each stored event counts once. */
export function appendEvents(log: ConversationLog, events: readonly ReceivedEvent[]): ConversationLog {
  return events.reduce(appendEvent, log);
}

function appendEvent(log: ConversationLog, event: ReceivedEvent): ConversationLog {
  if (!('seq' in event)) return { ...log, turns: withTurn(log.turns, event.turnId, toChunkChange(event)) };
  if (event.seq <= log.seq) return log;
  const known = log.turns.some(({ id }) => id === event.turnId);
  const turns = known ? log.turns : [...log.turns, createTurn(event)];
  return { turns: withTurn(turns, event.turnId, (turn) => changeTurn(turn, event)), seq: event.seq };
}

function createTurn({ turnId, createdAt }: ConversationEvent): TurnLog {
  return {
    ...{ id: turnId, message: '', messageId: null, status: 'running', onBusy: null, steps: [], steered: [] },
    ...{ answer: null, error: null, usage: null, createdAt, startedAt: null, settledAt: null },
  };
}

function withTurn(turns: readonly TurnLog[], id: string, change: (turn: TurnLog) => TurnLog) {
  // Events nearly always concern one of the last turns.
  const index = turns.findLastIndex((turn) => turn.id === id);
  const turn = turns[index];
  return turn ? turns.with(index, change(turn)) : turns;
}

type Chunk = Exclude<ReceivedEvent, { seq: number }>;

/** A piece of another attempt begins the text anew: the model was called again. */
function toChunkChange(chunk: Chunk): (turn: TurnLog) => TurnLog {
  return (turn) =>
    withStep(turn, chunk.iteration, (step) => {
      if (step.answer || chunk.attempt < step.attempt) return step;
      const kept = chunk.type === 'text.delta' && chunk.attempt === step.attempt ? step.text : '';
      const text = chunk.type === 'text.delta' ? kept + chunk.text : '';
      return { ...step, text, attempt: chunk.attempt, isStreaming: chunk.type === 'text.delta' };
    });
}

function withStep(turn: TurnLog, iteration: number, change: (step: StepLog) => StepLog): TurnLog {
  const index = turn.steps.findIndex((step) => step.iteration === iteration);
  const found = turn.steps[index];
  if (found) return { ...turn, steps: turn.steps.with(index, change(found)) };
  const steps = [...turn.steps, change(createStep(iteration))];
  return { ...turn, steps: steps.toSorted((one, other) => one.iteration - other.iteration) };
}

function createStep(iteration: number): StepLog {
  return {
    ...{ iteration, text: '', isStreaming: false, attempt: 1, answer: null, answeredAt: null },
    ...{ calls: [], troubles: [] },
  };
}

function changeTurn(turn: TurnLog, event: ConversationEvent): TurnLog {
  const at = event.createdAt;
  switch (event.type) {
    case 'turn.queued':
      return { ...turn, message: event.payload.message, status: 'queued' };
    case 'message.queued': {
      const { message, messageId, onBusy } = event.payload;
      return { ...turn, message, messageId, onBusy, status: 'queued' };
    }
    case 'message.withdrawn':
      return { ...turn, status: 'cancelled', settledAt: at };
    case 'message.steered':
      return { ...turn, steered: [...turn.steered, event.payload] };
    case 'turn.started':
      return { ...turn, message: event.payload.message, status: 'running', startedAt: at };
    case 'turn.settled': {
      const { outcome, answer, error, usage } = event.payload;
      const steps = turn.steps.map((step) => ({ ...step, isStreaming: false }));
      return { ...turn, steps, status: outcome, answer, error, usage, settledAt: at };
    }
    case 'message.created':
      return withAnswer(turn, event.payload, at);
    case 'model.passed':
    case 'model.cut_short':
    case 'answer.rejected':
    case 'context.compacted':
      return withStep(turn, event.payload.iteration, (step) => ({
        ...step,
        troubles: [...step.troubles, event],
      }));
    default:
      return changeCall(turn, event);
  }
}

function withAnswer(turn: TurnLog, answer: Payload<'message.created'>, at: string): TurnLog {
  const calls = answer.toolCalls.map(({ toolCallId, iteration, index, name, arguments: given }): CallLog => ({
    ...{ id: toolCallId, iteration, index, name, arguments: given, status: 'requested', attempt: 0 },
    ...{ preview: null, error: null, durationMs: null, action: null },
    ...{ requestedAt: at, startedAt: null, endedAt: null },
  }));
  return withStep(turn, answer.iteration, (step) => ({
    ...step,
    ...{ text: answer.text, isStreaming: false, answer, answeredAt: at, calls },
  }));
}

/** The changes of a tool call by its events. Events that concern none change nothing. */
function changeCall(turn: TurnLog, event: ConversationEvent): TurnLog {
  const at = event.createdAt;
  switch (event.type) {
    case 'tool.started': {
      const { attempt } = event.payload;
      return withCall(turn, event.payload, (call) => ({
        ...call,
        ...{ status: 'started', attempt, startedAt: call.startedAt ?? at },
      }));
    }
    case 'tool.executed': {
      const { resultPreview: preview, durationMs } = event.payload;
      return withCall(turn, event.payload, (call) => ({
        ...call,
        ...{ status: 'succeeded', preview, durationMs, endedAt: at },
      }));
    }
    case 'tool.failed': {
      const { error, durationMs } = event.payload;
      return withCall(turn, event.payload, (call) => ({
        ...call,
        ...{ status: 'failed', error, durationMs, endedAt: at },
      }));
    }
    case 'tool.blocked':
    case 'tool.unknown':
    case 'tool.skipped': {
      const { error } = event.payload;
      const status = endings[event.type];
      return withCall(turn, event.payload, (call) => ({ ...call, status, error, endedAt: at }));
    }
    case 'tool.settled': {
      const { status, attempts: attempt, error = null } = event.payload;
      return withCall(turn, event.payload, (call) => ({ ...call, status, attempt, error }));
    }
    default:
      return changeAction(turn, event);
  }
}

const endings = { 'tool.blocked': 'blocked', 'tool.unknown': 'unknown', 'tool.skipped': 'skipped' } as const;

function changeAction(turn: TurnLog, event: ConversationEvent): TurnLog {
  switch (event.type) {
    case 'action.requested': {
      const requested = event.payload;
      const action: ActionLog = { id: requested.actionId, requested, status: 'pending', decision: null };
      const waiting = { ...turn, status: 'waiting_for_approval' } as const;
      return withCall(waiting, requested, (call) => ({ ...call, action }));
    }
    case 'action.decided':
      return withAction(turn, event.payload.actionId, {
        status: event.payload.status,
        decision: event.payload,
      });
    case 'action.expired':
      return withAction(turn, event.payload.actionId, { status: 'expired' });
    case 'action.cancelled':
      return withAction(turn, event.payload.actionId, { status: 'cancelled' });
    default:
      return turn;
  }
}

interface CallRef {
  toolCallId: string;
  iteration: number;
}

function withCall(turn: TurnLog, { toolCallId, iteration }: CallRef, change: (call: CallLog) => CallLog) {
  return withStep(turn, iteration, (step) => ({
    ...step,
    calls: step.calls.map((call) => (call.id === toolCallId ? change(call) : call)),
  }));
}

/** A turn runs again when none of its actions waits for a person any more. */
function withAction(turn: TurnLog, actionId: string, change: Partial<ActionLog>): TurnLog {
  const steps = turn.steps.map((step) => ({
    ...step,
    calls: step.calls.map((call) =>
      call.action?.id === actionId ? { ...call, action: { ...call.action, ...change } } : call,
    ),
  }));
  const waits = steps.some(({ calls }) => calls.some(({ action }) => action?.status === 'pending'));
  const isWaiting = turn.status === 'waiting_for_approval';
  return { ...turn, steps, status: isWaiting && !waits ? 'running' : turn.status };
}
