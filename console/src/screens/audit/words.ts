import type { JsonObject, JsonValue } from '../../api/types.ts';
import type { AuditEvent } from './queries.ts';
import type { AuditSearch } from './search.ts';

/** An actor: a person, a key, or both when a key acted for a person. */
interface By {
  person: string | null;
  apiKeyId: string | null;
  agentId: string | null;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toTextOrNull = (value: JsonValue | undefined) => (typeof value === 'string' ? value : null);

const actors = ['by', 'decided_by', 'created_by', 'revoked_by'];

/** Returns who has done what an event records; null where no actor is stored. */
export function toBy({ payload }: AuditEvent): By | null {
  const by = actors.map((name) => payload[name]).find(isObject);
  if (!by) return null;
  return {
    person: toTextOrNull(by['actingFor']) ?? toTextOrNull(by['person']),
    apiKeyId: toTextOrNull(by['apiKeyId']) ?? toTextOrNull(by['api_key_id']),
    agentId: toTextOrNull(by['agent_id']),
  };
}

/** Returns an actor in a word. */
export function toByText(
  { person, apiKeyId, agentId }: By,
  keys: ReadonlyMap<string, string> | undefined,
): string {
  if (person !== null) return person;
  if (apiKeyId !== null) return keys?.get(apiKeyId) ?? 'A key';
  return agentId === null ? 'An operator' : 'An agent';
}

/** Returns the filter for what an actor did; null for one without a name. */
export function toByFilter({ person, apiKeyId }: By): AuditSearch | null {
  if (person !== null) return { person };
  return apiKeyId === null ? null : { apiKeyId };
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
