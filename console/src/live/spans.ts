import type { CallLog, StepLog, TurnLog } from './conversation-log.ts';

/** A stretch of time of a turn. Times are milliseconds since the epoch. */
export interface Span {
  id: string;
  kind: 'queue' | 'model' | 'tool' | 'wait';
  title: string;
  /** A status of the API, from which the colour follows. */
  status: string;
  iteration: number | null;
  start: number;
  end: number;
  /** Whether it has not ended. */
  isOpen: boolean;
}

/**
 * Lists what a turn has done in the order in which it began: it waited for a worker, a model answered, tools ran, and a person
 * was waited for. `now` is the end of a span that is open. `modelCalls` has the stored times of model calls by their iteration; without
 * them a call begins where the event before it ended.
 */
export function toSpans(
  turn: TurnLog,
  now: number,
  modelCalls: ReadonlyMap<number, ModelTimes> = new Map(),
): Span[] {
  const end = toTime(turn.settledAt) ?? now;
  const created = Date.parse(turn.createdAt);
  const started = toTime(turn.startedAt);
  const spans: Span[] = [];
  if (started === null || started - created > leastQueueMs) {
    spans.push({
      ...{ id: 'queue', kind: 'queue', title: 'Waited to start', status: 'queued', iteration: null },
      ...{ start: created, end: started ?? end, isOpen: started === null && turn.settledAt === null },
    });
  }
  let begin = started ?? created;
  for (const step of turn.steps) {
    const model = toModelSpan(step, { begin, end, times: modelCalls.get(step.iteration), turn });
    spans.push(model, ...step.calls.flatMap((call) => toCallSpans(call, end)));
    begin = Math.max(model.end, ...step.calls.map((call) => toTime(call.endedAt) ?? model.end));
  }
  return spans;
}

/** The stored times of a model call, in ISO 8601. */
export interface ModelTimes {
  startedAt: string | null;
  endedAt: string | null;
}

/** A turn that starts within this time has not waited. */
const leastQueueMs = 250;

interface Around {
  begin: number;
  end: number;
  times: ModelTimes | undefined;
  turn: TurnLog;
}

function toModelSpan(step: StepLog, { begin, end, times, turn }: Around): Span {
  const isOpen = step.answer === null && turn.settledAt === null;
  return {
    ...{ id: `model-${step.iteration}`, kind: 'model', iteration: step.iteration, isOpen },
    title: step.answer?.model ?? 'Model',
    status: step.answer ? 'completed' : isOpen ? 'running' : 'failed',
    start: toTime(times?.startedAt ?? null) ?? begin,
    end: toTime(times?.endedAt ?? null) ?? toTime(step.answeredAt) ?? end,
  };
}

/** A call that waits for a person has a span for that, and one for the time in which it ran. */
function toCallSpans(call: CallLog, end: number): Span[] {
  const requested = Date.parse(call.requestedAt);
  const started = toTime(call.startedAt);
  const ended = toTime(call.endedAt);
  const shared = { title: call.name, iteration: call.iteration };
  const spans: Span[] = [];
  if (call.action) {
    const isPending = call.action.status === 'pending';
    spans.push({
      ...shared,
      ...{ id: `wait-${call.id}`, kind: 'wait', status: isPending ? 'waiting' : call.action.status },
      ...{ start: requested, end: started ?? ended ?? end, isOpen: isPending },
    });
  }
  if (started === null && ended === null && call.action) return spans;
  const isOpen = ended === null && call.status !== 'unknown';
  return [
    ...spans,
    {
      ...shared,
      ...{ id: call.id, kind: 'tool', status: call.status, isOpen },
      ...{ start: started ?? ended ?? requested, end: ended ?? end },
    },
  ];
}

function toTime(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

/** A place on the scale where time was left out. */
interface Break {
  /** From 0 to 1. */
  at: number;
  ms: number;
}

/** Maps times to places from 0 to 1. */
export interface Scale {
  toPlace: (time: number) => number;
  breaks: readonly Break[];
}

/** The part of the scale that a gap takes when it is compressed. */
const gapShare = 0.04;

/**
 * Makes the scale of a waterfall. Time in which neither a model nor a tool runs (days may pass before a person decides)
 * is compressed when it is longer than a fifth of the time of work.
 */
export function createScale(spans: readonly Span[]): Scale {
  const start = Math.min(...spans.map((span) => span.start));
  const end = Math.max(start + 1, ...spans.map((span) => span.end));
  const busy = mergeSpans(spans.filter(({ kind }) => kind === 'model' || kind === 'tool'));
  const worked = busy.reduce((sum, [from, to]) => sum + to - from, 0);
  const gaps = toGaps(busy, start, end).filter(([from, to]) => to - from > Math.max(worked / 5, 1_000));
  const gapTime = gaps.reduce((sum, [from, to]) => sum + to - from, 0);
  const weight = (end - start - gapTime) / Math.max(1 - gaps.length * gapShare, 0.2) || 1;
  const gapWeight = weight * gapShare;
  const whole = end - start - gapTime + gaps.length * gapWeight;
  const toPlace = (time: number) => {
    let place = Math.min(Math.max(time, start), end) - start;
    for (const [from, to] of gaps) {
      if (time >= to) place += gapWeight - (to - from);
      else if (time > from) place += ((time - from) / (to - from)) * gapWeight - (time - from);
    }
    return place / whole;
  };
  const breaks = gaps.map(([from, to]) => ({ at: toPlace(from + (to - from) / 2), ms: to - from }));
  return { toPlace, breaks };
}

type Interval = [from: number, to: number];

function mergeSpans(spans: readonly Span[]): Interval[] {
  const merged: Interval[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function toGaps(busy: readonly Interval[], start: number, end: number): Interval[] {
  const starts = [start, ...busy.map(([, to]) => to)];
  const ends = [...busy.map(([from]) => from), end];
  return starts.map((from, index): Interval => [from, ends[index] ?? end]).filter(([from, to]) => to > from);
}
