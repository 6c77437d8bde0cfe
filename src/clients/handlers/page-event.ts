import type { EventPayload, ReceivedEvent } from '../client/index.ts';
import type { SentEvent } from './to-sse.ts';

type StoredType = Extract<ReceivedEvent, { payload: unknown }>['type'];

const messageFields = ['messageId', 'message'] as const;
const callFields = ['toolCallId', 'iteration', 'index', 'name'] as const;
const actionFields = ['actionId', 'kind'] as const;

/** The fields of payloads that a customer may see. Events of other types are left out. */
const shownFields: { readonly [Type in StoredType]?: readonly (keyof EventPayload<Type>)[] } = {
  'turn.queued': ['message'],
  'message.queued': messageFields,
  'message.steered': messageFields,
  'message.promoted': ['messageId'],
  'message.withdrawn': ['messageId'],
  'message.created': ['messageId', 'iteration', 'text'],
  'turn.started': ['message'],
  'tool.started': callFields,
  'tool.executed': callFields,
  'tool.failed': callFields,
  'tool.blocked': callFields,
  'tool.unknown': callFields,
  'tool.skipped': callFields,
  'action.requested': [...callFields, ...actionFields, 'expiresAt', 'question', 'schema', 'options', 'url'],
  'action.decided': [...actionFields, 'status'],
  'action.expired': actionFields,
  'action.cancelled': actionFields,
  'turn.settled': ['outcome', 'answer', 'answerJson', 'error'],
};

/**
 * Returns what the page of a customer may know of an event: texts, names of tools, questions and outcomes. Arguments and
 * results of tools, the model and its reasoning, usage, people who decide and details of errors are left out.
 */
export function toPageEvent(event: ReceivedEvent): SentEvent | null {
  if (!('payload' in event)) return event;
  const fields: readonly string[] | undefined = shownFields[event.type];
  if (!fields) return null;
  const shown = Object.entries(event.payload).filter(([name]) => fields.includes(name));
  return {
    ...event,
    payload: Object.fromEntries(shown.map(([name, value]) => [name, toShown(name, value)])),
  };
}

function toShown(name: string, value: unknown): unknown {
  if (name !== 'error' || value === null) return value;
  const { code, message } = value as { code: string; message: string };
  return { code, message };
}
