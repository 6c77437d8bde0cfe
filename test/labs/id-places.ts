import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import type { DeclaredRoute } from '../../src/platform/http/route.ts';
import { thingOwners, type ThingKind } from './things.ts';

/** A place of a request that takes the id of a thing. */
export interface IdPlace {
  route: DeclaredRoute;
  part: 'path' | 'query' | 'body';
  /** The name of the parameter, or the path of the field, such as `message.[].fileId`. */
  field: string;
  /** Missing for an id of which this file does not know what it names. */
  kind?: ThingKind;
  /** A query or a body with `<id>` in this field, and the kinds of things, such as `<agents>`, where it needs other ids. */
  template: JsonObject;
}

/** The things that fields name, by the last names of their paths. */
const kindsOfFields: Record<string, ThingKind> = {
  ...{ actionId: 'pending-actions', agentId: 'agents', agentVersionId: 'agents/versions' },
  ...{ apiKeyId: 'api-keys', connectionId: 'connections', connectorId: 'connectors' },
  ...{ conversationId: 'conversations', conversationIds: 'conversations', conversations: 'conversations' },
  ...{ embeddingConnectionId: 'connections', expectedTurnId: 'turns', fileId: 'files', leader: 'agents' },
  ...{ knowledgeBaseId: 'knowledge-bases', leaderId: 'agents', modelConnectionId: 'connections' },
  ...{ parentId: 'conversations' },
  ...{ resourceIds: 'resources', routineId: 'routines', skillId: 'skills', subjectId: 'turns' },
  ...{ teamId: 'teams', toolCallId: 'turns/tool-calls', turnId: 'turns', turnIds: 'turns' },
  ...{ with: 'conversations' },
};

/** Fields that look like the id of a thing and are none, and what they are. */
const otherFields: Record<string, string> = {
  cursor: 'the place of a page',
  'auth.clientId': 'an id at an authorization server',
  'auth.keyId': 'an id at a vendor',
  'approvers.[].teamId': 'an id at Slack',
  'approvers.[].userId': 'an id at Slack',
  'rule.deliveryId': 'where a vendor writes the id of a delivery',
  externalId: 'an id of the caller',
  'config.workflowId': 'the name of a workflow of the operator',
};

/** Values that a schema does not describe, by the names of fields. */
const examples: Record<string, JsonValue> = {
  ...{ model: 'demo', times: { cron: '@daily' }, to: '2026-01-02T00:00:00Z', provider: 'github' },
  ...{ path: 'SKILL.md', person: '<person>', task: { set: { a: 1 } }, functionName: 'http_request' },
  ...{ credits: 1, schema: { type: 'object' } },
  document: {
    document: { dsl: '1.0.0', namespace: 'a', name: 'a', version: '1.0.0' },
    do: [{ one: { set: { a: 1 } } }, { two: { set: { a: 1 } } }],
  },
};

/** Fields that a request needs beside another one, where its schema has them. */
const companions: Record<string, JsonObject> = {
  connectionId: { functionName: 'http_request' },
  connectorId: { server: 'a' },
  knowledgeBaseId: { functionName: 'file_search' },
  toolResults: { iteration: 1 },
};

/** The smallest bodies where those of their schemas are refused, by the ends of paths. */
const tool = { type: 'function', name: 'calculate', description: '', config: { functionName: 'calculate' } };
const bodies: Record<string, JsonObject> = { '/agents/:id/tools': tool, '/tools/batch': { tools: [tool] } };

/** Kinds of things that have the address of another kind too. */
const alternatives: Partial<Record<ThingKind, readonly ThingKind[]>> = {
  blobs: ['files'],
  files: ['blobs'],
  resources: ['memories'],
};

/** Parameters of paths that number the parts of the thing before them, with the number of the first. */
export const numbers: Record<string, string> = { version: '1', position: '0' };

/** Lists the places of a route that take an id, of its path first. */
export function listIdPlaces(route: DeclaredRoute): IdPlace[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].filter(([, name = '']) => !(name in numbers));
  const all = [
    ...inPath.map(({ 1: field = '', index }): IdPlace => {
      const kind = toPathKind(route.path.slice(0, index));
      return { route, part: 'path', field, ...(kind && { kind }), template: {} };
    }),
    ...listFields(route, 'query'),
    ...listFields(route, 'body'),
  ];
  return all.flatMap((place) => [place, ...listAlternatives(place)]);
}

function listAlternatives(place: IdPlace): IdPlace[] {
  const others = place.kind === undefined ? [] : (alternatives[place.kind] ?? []);
  return others.map((kind) => ({ ...place, kind }));
}

/** Returns the kind of thing that the parameter after this part of a path names. */
export function toPathKind(before: string): ThingKind | undefined {
  const kind = before
    .replace(/^\/api\//, '')
    .replaceAll(/:\w+\//g, '')
    .replace(/\/$/, '');
  return kind in thingOwners ? (kind as ThingKind) : undefined;
}

function listFields(route: DeclaredRoute, part: 'query' | 'body'): IdPlace[] {
  const root = toSchema(route.inputs?.[part]);
  return findFields(root, { root, names: [], refs: [] }).flatMap(({ names, template }) => {
    const field = names.join('.');
    if (Object.keys(otherFields).some((known) => field === known || field.endsWith(`.${known}`))) return [];
    const kind = kindsOfFields[toLastName(names)];
    return [{ route, part, field, ...(kind && { kind }), template: isJsonObject(template) ? template : {} }];
  });
}

/** Returns the smallest query or body of a route that its schema describes. */
export function toSmallest(route: DeclaredRoute, part: 'query' | 'body'): JsonObject {
  const [, known] = Object.entries(bodies).find(([end]) => route.path.endsWith(end)) ?? [];
  if (part === 'body' && route.method === 'POST' && known) return known;
  const root = toSchema(route.inputs?.[part]);
  const properties = isJsonObject(root.properties) ? root.properties : {};
  // A change needs at least one field.
  const required =
    route.method === 'PATCH' && !root.required ? Object.keys(properties).slice(0, 1) : root.required;
  const smallest = buildSmallest({ ...root, ...(required && { required }) }, { root, names: [], refs: [] });
  return isJsonObject(smallest) ? smallest : {};
}

function toSchema(schema: unknown): JsonObject {
  if (!(schema instanceof z.ZodType)) return {};
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject;
}

interface Walk {
  root: JsonObject;
  names: readonly string[];
  refs: readonly string[];
}

interface Found {
  names: readonly string[];
  template: JsonValue;
}

/** Finds the fields of a schema that take an id, each with the smallest value that has it. */
function findFields(schema: JsonObject, walk: Walk): Found[] {
  const { names, refs } = walk;
  if (typeof schema.$ref === 'string') {
    if (refs.includes(schema.$ref)) return [];
    return findFields(resolve(schema.$ref, walk), { ...walk, refs: [...refs, schema.$ref] });
  }
  const options = toObjects(schema.anyOf ?? schema.oneOf);
  if (options.length > 0) return options.flatMap((option) => findFields(option, walk));
  if (schema.type === 'array' && isJsonObject(schema.items))
    return findFields(schema.items, { ...walk, names: [...names, '[]'] }).map((found) => {
      return { ...found, template: [found.template] };
    });
  if (schema.type === 'object') return findInObject(schema, walk);
  return isId(schema, names) ? [{ names, template: '<id>' }] : [];
}

function findInObject(schema: JsonObject, walk: Walk): Found[] {
  const { properties, additionalProperties: values } = schema;
  const smallest = buildSmallest(schema, walk) as JsonObject;
  const named = isJsonObject(properties) ? Object.entries(properties) : [];
  const all = [...named, ...(isJsonObject(values) ? [['*', values] as const] : [])];
  return all.flatMap(([name, inner]) => {
    if (!isJsonObject(inner)) return [];
    const beside = Object.entries(companions[name] ?? {}).filter(([one]) =>
      named.some(([field]) => field === one),
    );
    return findFields(inner, { ...walk, names: [...walk.names, name] }).map(({ names, template }) => {
      const field = { [name === '*' ? 'any' : name]: template };
      return { names, template: { ...smallest, ...Object.fromEntries(beside), ...field } };
    });
  });
}

/** Whether a field takes an id: of the form of an id, or by its name. The id of a part of the request itself is none. */
function isId({ type, format }: JsonObject, names: readonly string[]): boolean {
  return format === 'uuid' || (type === 'string' && /[a-z]Ids?$/.test(toLastName(names)));
}

function toLastName(names: readonly string[]): string {
  return names.findLast((name) => name !== '[]' && name !== '*') ?? '';
}

/** Builds the smallest value that a schema describes. */
function buildSmallest(schema: JsonObject, walk: Walk): JsonValue {
  const { type, properties, required, minItems, items, pattern } = schema;
  if (typeof schema.$ref === 'string') return buildSmallest(resolve(schema.$ref, walk), walk);
  const example = examples[toLastName(walk.names)];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  const [option] = toObjects(schema.anyOf ?? schema.oneOf);
  if (option) return buildSmallest(option, walk);
  if (type === 'object') {
    const fields = isJsonObject(properties) ? properties : {};
    const needed = (Array.isArray(required) ? required : []).map(String);
    const inner = (name: string) => {
      const field = fields[name];
      return isJsonObject(field) ? buildSmallest(field, { ...walk, names: [...walk.names, name] }) : 'a';
    };
    return Object.fromEntries(needed.map((name) => [name, inner(name)]));
  }
  if (type === 'array')
    return Number(minItems ?? 0) > 0 && isJsonObject(items)
      ? [buildSmallest(items, { ...walk, names: [...walk.names, '[]'] })]
      : [];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Math.max(Number(schema.minimum ?? 1), 1);
  if (isId(schema, walk.names)) return `<${kindsOfFields[toLastName(walk.names)] ?? 'id'}>`;
  if (schema.format === 'uri') return 'https://example.com/a';
  if (schema.format === 'date-time') return '2026-01-01T00:00:00Z';
  return typeof pattern === 'string' && !new RegExp(pattern, 'u').test('a') ? 'a=a' : 'a';
}

function resolve(ref: string, { root }: Walk): JsonObject {
  const definitions = isJsonObject(root.$defs) ? root.$defs : {};
  const found = ref === '#' ? root : definitions[ref.replace('#/$defs/', '')];
  return isJsonObject(found) ? found : {};
}

function toObjects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
