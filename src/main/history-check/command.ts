import type { JsonValue } from '../../domain/json.ts';
import { type PayloadBytes, toValue } from './payload-value.ts';

/** One command of a workflow: as recorded in its history, or as issued by its code in a replay. */
export interface Command {
  kind: CommandKind;
  /** The type or the id, for people. */
  name: string;
  /** The id by which Temporal identifies an activity or a timer inside one workflow. */
  id?: string;
  /** Everything that is compared. A field that is undefined is left to the server, and not compared. */
  fields: Record<string, JsonValue | undefined>;
  /** The event of the history. */
  eventId?: string;
}

/** The kinds of commands. Commands of the same kind are compared with each other, in their order. */
export const commandKinds = [
  ...['activity', 'local activity', 'timer', 'child workflow', 'signal', 'search attributes', 'end'],
] as const;

type CommandKind = (typeof commandKinds)[number];

/** Messages of Temporal as they are read here: the names of types and queues are texts in commands, objects in events. */
export interface Attributes {
  [field: string]: unknown;
}

/** Reads the compared fields of a command or of its event. */
export function toCommand(kind: CommandKind, attributes: Attributes): Command {
  return { kind, ...readers[kind](attributes) };
}

type Reader = (attributes: Attributes) => Omit<Command, 'kind' | 'eventId'>;

const readers: Record<CommandKind, Reader> = {
  activity: (from) => ({
    name: toName(from['activityType']),
    id: String(from['activityId']),
    fields: { ...toStarted(from, 'activityType'), input: toInput(from) },
  }),
  // A history does not hold the inputs of local activities, but commands do.
  'local activity': (from) => ({
    name: toName(from['activityType']),
    id: String(from['seq']),
    fields: {
      activityType: toName(from['activityType']),
      ...(from['arguments'] === undefined ? {} : { input: toInput(from) }),
    },
  }),
  timer: (from) => ({
    name: String(from['timerId'] ?? from['seq']),
    id: String(from['timerId'] ?? from['seq']),
    fields: { durationMs: toMilliseconds(from['startToFireTimeout']) },
  }),
  'child workflow': (from) => ({
    name: String(from['workflowId']),
    id: String(from['workflowId']),
    fields: {
      ...toStarted(from, 'workflowType'),
      workflowId: String(from['workflowId']),
      runTimeoutMs: toMilliseconds(from['workflowRunTimeout']),
      input: toInput(from),
    },
  }),
  signal: (from) => ({
    name: String(from['signalName']),
    fields: { signalName: String(from['signalName']), input: toInput(from) },
  }),
  'search attributes': (from) => {
    const values = toMap((from['searchAttributes'] as Attributes | undefined)?.['indexedFields']);
    return { name: Object.keys(values).join(', '), fields: { values } };
  },
  end: (from) => ({ name: String(from['how']), fields: toEnd(from) }),
};

function toStarted(from: Attributes, type: 'activityType' | 'workflowType') {
  return { [type]: toName(from[type]), taskQueue: toName(from['taskQueue']) || undefined };
}

function toEnd(from: Attributes): Command['fields'] {
  const how = String(from['how']);
  if (how === 'completed') return { how, result: toInput({ input: from['result'] }) };
  if (how === 'continued as new') {
    const runTimeoutMs = toMilliseconds(from['workflowRunTimeout']);
    return { how, ...toStarted(from, 'workflowType'), runTimeoutMs, input: toInput(from) };
  }
  const failure = from['failure'] as Attributes | undefined;
  const info = failure?.['applicationFailureInfo'] as Attributes | undefined;
  return failure
    ? { how, message: String(failure['message']), type: info ? String(info['type']) : undefined }
    : { how };
}

function toName(value: unknown): string {
  if (typeof value === 'string') return value;
  return (value as { name?: string } | null | undefined)?.name ?? '';
}

/** Reads the payloads of an event (`input`), and those of a command (`arguments`, `args` or `input`). */
function toInput(from: Attributes): JsonValue[] {
  const given = from['arguments'] ?? from['args'] ?? from['input'];
  if (given === null || given === undefined) return [];
  const list = Array.isArray(given) ? given : ((given as Attributes)['payloads'] ?? [given]);
  return (list as PayloadBytes[]).map(toValue);
}

function toMap(fields: unknown): Record<string, JsonValue> {
  const entries = Object.entries((fields ?? {}) as Record<string, PayloadBytes>);
  return Object.fromEntries(entries.map(([name, payload]) => [name, toValue(payload)]));
}

/** Returns undefined for a duration that is not set; the server then fills in its own. */
function toMilliseconds(duration: unknown): number | undefined {
  const { seconds, nanos } = (duration ?? {}) as { seconds?: unknown; nanos?: unknown };
  // Workflow code may name fractions of a millisecond, which Temporal truncates.
  const milliseconds = Math.round(Number(seconds ?? 0) * 1000 + Number(nanos ?? 0) / 1e6);
  return milliseconds === 0 ? undefined : milliseconds;
}
