import type { JsonObject, JsonValue } from '../../api/types.ts';
import type { AuditEvent } from './queries.ts';

/** Who did something: a person, or else a key. */
interface By {
  person: string | null;
  apiKeyId: string | null;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toTextOrNull = (value: JsonValue | undefined) => (typeof value === 'string' ? value : null);

/** Returns who has done what an event records; null where no actor is stored. */
export function toBy({ payload }: AuditEvent): By | null {
  const by = payload['by'];
  if (!isObject(by)) return null;
  return { person: toTextOrNull(by['actingFor']), apiKeyId: toTextOrNull(by['apiKeyId']) };
}

/** Returns who has done what an event records, in a word; empty where no actor is stored. */
export function toByText(event: AuditEvent, keys: ReadonlyMap<string, string> | undefined): string {
  const by = toBy(event);
  if (!by) return '';
  if (by.person !== null) return by.person;
  return by.apiKeyId === null ? 'An operator' : (keys?.get(by.apiKeyId) ?? 'A key');
}

const names = ['name', 'tool_name', 'toolName', 'title', 'fileName', 'provider', 'reason'];

/** Returns what an event is about, by the names that it has; empty where it has none. */
export function toAbout({ payload }: AuditEvent): string {
  return names.map((name) => toTextOrNull(payload[name])).find((text) => text !== null) ?? '';
}

/** Says what was done: `tool.executed` is "tool executed". */
export const toAction = (type: string) => type.replaceAll(/[._]/g, ' ');

const places: Record<string, string> = {
  agent: '/agents',
  budget: '/budgets',
  connection: '/connections',
  knowledge_base: '/knowledge',
  replay: '/replays',
  routine: '/routines',
  routine_run: '/routine-runs',
  schedule: '/schedules',
  swarm: '/swarms',
  trigger: '/triggers',
  webhook: '/webhooks',
};

/** Returns the address of the page of what an event is about; null where it has none, or was deleted. */
export function toPlace({ type, subjectId }: AuditEvent): string | null {
  const [noun = '', verb] = type.split('.');
  const place = places[noun];
  return place === undefined || subjectId === null || verb === 'deleted' ? null : `${place}/${subjectId}`;
}
