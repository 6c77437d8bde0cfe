import type { CreateScheduleData, Schedule } from '../../api/types.ts';
import { parseJson } from '../../ui/parse-json.ts';

type Body = CreateScheduleData['body'];

/** What a schedule can start. */
export type ActionKind = Schedule['action']['kind'];

/** The ways to say when a schedule runs. */
export type TimesKind = 'cron' | 'interval' | 'calendars';

/** A schedule as a form has it; texts of JSON are as they were typed. */
export interface ScheduleDraft {
  name: string;
  kind: ActionKind;
  /** Whether each run begins a conversation, or all are in one. */
  place: 'agent' | 'conversation';
  agentId: string;
  conversationId: string;
  message: string;
  actingFor: string;
  routineId: string;
  input: string;
  replay: string;
  times: TimesKind;
  /** A cron expression in each line. */
  cron: string;
  every: string;
  unit: keyof typeof unitMs;
  shiftMinutes: string;
  calendars: string;
  timeZone: string;
  overlap: Schedule['overlap'];
  catchUpMinutes: string;
}

/** A part of a form for a schedule. */
export interface DraftProps {
  draft: ScheduleDraft;
  onChange: (change: Partial<ScheduleDraft>) => void;
}

/** The units of an interval, in milliseconds. */
export const unitMs = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** Returns the longest unit of which a time is a multiple. */
export const findUnit = (ms: number) =>
  (['days', 'hours', 'minutes'] as const).find((unit) => ms % unitMs[unit] === 0);

/** A schedule that nobody has filled in; `timeZone` is that of the browser. */
export const createDraft = (timeZone: string): ScheduleDraft => ({
  ...{ name: '', kind: 'turn', place: 'agent', agentId: '', conversationId: '', message: '', actingFor: '' },
  ...{
    routineId: '',
    input: '{}',
    replay: '',
    times: 'cron',
    cron: '0 9 * * 1-5',
    every: '1',
    unit: 'hours',
  },
  ...{ shiftMinutes: '', calendars: '[{ "hour": 9, "dayOfWeek": { "start": 1, "end": 5 } }]', timeZone },
  ...{ overlap: 'skip', catchUpMinutes: '' },
});

/** Returns the fields of a form for a stored schedule. */
export function toDraft({ name, action, times, timeZone, overlap, catchUpMs }: Schedule): ScheduleDraft {
  const draft = { ...createDraft(timeZone), name, overlap, catchUpMinutes: String(catchUpMs / 60_000) };
  return { ...draft, ...toActionFields(action), ...toTimesFields(times) };
}

function toActionFields(action: Schedule['action']): Partial<ScheduleDraft> {
  if (action.kind === 'routine')
    return {
      kind: 'routine',
      routineId: action.routineId,
      input: JSON.stringify(action.input ?? {}, null, 2),
    };
  if (action.kind === 'replay') return { kind: 'replay', replay: JSON.stringify(action.replay, null, 2) };
  const { agentId = '', conversationId = '', message, actingFor = '' } = action;
  const place = conversationId === '' ? 'agent' : 'conversation';
  return { kind: 'turn', place, agentId, conversationId, message, actingFor };
}

function toTimesFields({ cron, interval, calendars }: Schedule['times']): Partial<ScheduleDraft> {
  if (interval) {
    const { everyMs, offsetMs } = interval;
    const unit = findUnit(everyMs) ?? 'minutes';
    const shiftMinutes = offsetMs === 0 ? '' : String(offsetMs / 60_000);
    return { times: 'interval', unit, every: String(everyMs / unitMs[unit]), shiftMinutes };
  }
  if (calendars) return { times: 'calendars', calendars: JSON.stringify(calendars, null, 2) };
  return { times: 'cron', cron: [cron ?? []].flat().join('\n') };
}

/** Returns the request for a form; undefined while something in it is missing or is no JSON. */
export function toBody(draft: ScheduleDraft): Body | undefined {
  const action = toAction(draft);
  const times = toTimes(draft);
  if (!action || !times || draft.name.trim() === '') return undefined;
  const catchUp = draft.catchUpMinutes.trim();
  if (catchUp !== '' && !isPositive(catchUp)) return undefined;
  return {
    ...{ name: draft.name.trim(), action, times, timeZone: draft.timeZone, overlap: draft.overlap },
    ...(catchUp === '' ? {} : { catchUpMs: Math.round(Number(catchUp) * 60_000) }),
  };
}

const isPositive = (text: string) => Number(text) > 0;

function toAction(draft: ScheduleDraft): Body['action'] | undefined {
  const { kind, place, routineId, message } = draft;
  if (kind === 'routine') {
    const input = parseJson(draft.input);
    return routineId === '' || input === undefined ? undefined : { kind, routineId, input };
  }
  if (kind === 'replay') {
    const replay = parseJson(draft.replay);
    const isObject = typeof replay === 'object' && replay !== null && !Array.isArray(replay);
    // The API checks what it has.
    return isObject
      ? { kind, replay: replay as object as Extract<Body['action'], { kind: 'replay' }>['replay'] }
      : undefined;
  }
  const id = (place === 'agent' ? draft.agentId : draft.conversationId).trim();
  if (id === '' || message.trim() === '') return undefined;
  const actingFor = draft.actingFor.trim();
  return {
    ...(place === 'agent' ? { agentId: id } : { conversationId: id }),
    ...{ kind, message },
    ...(actingFor === '' ? {} : { actingFor }),
  };
}

function toTimes({
  times,
  cron,
  every,
  unit,
  shiftMinutes,
  calendars,
}: ScheduleDraft): Body['times'] | undefined {
  if (times === 'interval') {
    const shift = shiftMinutes.trim() === '' ? 0 : Number(shiftMinutes);
    if (!isPositive(every) || !(shift >= 0)) return undefined;
    const everyMs = Math.round(Number(every) * unitMs[unit]);
    return { interval: { everyMs, ...(shift === 0 ? {} : { offsetMs: Math.round(shift * 60_000) }) } };
  }
  if (times === 'calendars') {
    const list = parseJson(calendars);
    return Array.isArray(list) ? { calendars: list as object[] } : undefined;
  }
  const lines = cron
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length === 0 ? undefined : { cron: lines };
}
