import { z } from 'zod';
import type { JsonObject } from '../../src/domain/json.ts';
import type { DeclaredRoute } from '../../src/platform/http/route.ts';
import type { Api } from './api-lab.ts';
import { numbers, toPathKind, toSmallest, type IdPlace } from './id-places.ts';
import type { ThingKind, Things } from './things.ts';

/** The sender of a request. */
export interface IdCaller {
  key: string;
  /** The things of the caller, and its person. They fill the places that are not tested. */
  own: Things & { person: string };
}

/** An id for a place, and the things of its owner, of which those above it in a path are taken. */
export type TriedId = Partial<Things> & { id: string };

/** An answer without the ids and times in it; `whole` has them. */
interface IdAnswer {
  status: number;
  text: string;
  whole: string;
}

const anyId = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const anyTime = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Sends the smallest request that has an id in a place; all other places have things of the caller. */
export async function tryId(
  api: Api,
  { route, part, field, template }: IdPlace,
  { caller, of }: { caller: IdCaller; of: TriedId },
): Promise<IdAnswer> {
  const fill = (value: JsonObject) =>
    fillTemplate(value, (name) => (name === 'id' ? of.id : valueOf(caller, name)));
  const isFirst = part === 'path' && /:(\w+)/.exec(route.path)?.[1] === field;
  const path = fillPath(route.path, (name, kind) => {
    if (part === 'path' && name === field) return of.id;
    return (isFirst ? of[kind] : undefined) ?? caller.own[kind];
  });
  const query = fill(part === 'query' ? template : toSmallest(route, 'query'));
  const body = fill(part === 'body' ? template : toSmallest(route, 'body'));
  const answer = await send(api, caller.key, { route, path, query, body });
  return { ...answer, text: answer.text.replaceAll(of.id, '<id>') };
}

/** Sends the smallest request of a route without ids in its path. */
export function tryRoute(api: Api, route: DeclaredRoute, caller: IdCaller): Promise<IdAnswer> {
  const query = fillTemplate(toSmallest(route, 'query'), (name) => valueOf(caller, name));
  return send(api, caller.key, { route, path: route.path, query, body: {} });
}

function valueOf({ own }: IdCaller, name: string): string {
  return own[name as keyof typeof own];
}

/** Replaces `<id>` and the kinds of things in a template. */
export function fillTemplate(template: JsonObject, toValue: (name: string) => string): JsonObject {
  const text = JSON.stringify(template).replaceAll(/<([\w/-]+)>/g, (_, name: string) => toValue(name));
  return JSON.parse(text) as JsonObject;
}

function fillPath(path: string, toId: (name: string, kind: ThingKind) => string): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string, index: number) => {
    const kind = toPathKind(path.slice(0, index));
    return numbers[name] ?? (kind === undefined ? 'unknown' : toId(name, kind));
  });
}

interface Sent {
  route: DeclaredRoute;
  path: string;
  query: JsonObject;
  body: JsonObject;
}

/** Sends a request. Of a stream it says only that it began. */
async function send(api: Api, key: string, { route, path, query, body }: Sent): Promise<IdAnswer> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) search.append(name, JSON.stringify(one).replaceAll('"', ''));
  const takesBody = route.inputs?.body instanceof z.ZodType;
  const type = takesBody ? { 'content-type': 'application/json' } : {};
  const response = await fetch(`${api.url}${path}?${search.toString()}`, {
    method: route.method,
    headers: { authorization: `Bearer ${key}`, ...type },
    ...(takesBody && { body: JSON.stringify(body) }),
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (isStream) await response.body?.cancel();
  const whole = isStream ? 'a stream' : await response.text();
  const text = whole.replaceAll(anyId, '<id>').replaceAll(anyTime, '<time>');
  return { status: response.status, text, whole };
}

/**
 * Returns a reader of the digests of all tables with rows of workspaces, without the audit log and the times when keys were
 * used. Its statement is prepared, since planning it takes longer than reading.
 */
export async function createDigest({ database }: Api): Promise<() => Promise<unknown>> {
  const { rows: tables } = await database.system.raw<{ rows: { name: string }[] }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE column_name = 'workspace_id' AND table_schema = 'public' AND table_name NOT LIKE 'audit_%'`,
  );
  const digests = tables.map(
    ({ name }) =>
      `(SELECT md5(string_agg(one, '' ORDER BY one)) FROM
        (SELECT (to_jsonb(t) - 'last_used_at')::text AS one FROM ${name} t) AS all_of_it) AS ${name}`,
  );
  const statement = `SELECT ${digests.join(', ')}`;
  return async () => {
    const { rows } = await database.system.raw<{ rows: unknown[] }>(statement).options({ name: 'digest' });
    return rows[0];
  };
}

/** Returns the schema that a place's template has to fit, and the template; null for a request without either. */
export function toChecked({
  route,
  part,
  template,
}: IdPlace): { schema: z.ZodType; value: JsonObject } | null {
  const schema = part === 'query' ? route.inputs?.query : route.inputs?.body;
  if (!(schema instanceof z.ZodType)) return null;
  return { schema, value: part === 'path' ? toSmallest(route, 'body') : template };
}
