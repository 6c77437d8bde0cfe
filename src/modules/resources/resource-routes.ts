import { z } from 'zod';
import { createInvalidInput } from '../../domain/errors.ts';
import { jsonObjectSchema } from '../../domain/json-value.ts';
import {
  resourceOperations,
  resourceSchema,
  resourceVersionSchema,
  type Maker,
} from '../../domain/resource.ts';
import { addResource } from './add-resource.ts';
import { findResources, getResource, listResourceVersions } from './find-resources.ts';
import type { ResourceDependencies } from './resource-dependencies.ts';
import { kindNames, resourceKinds } from './resource-kinds.ts';
import { toOperationSchema } from './operation-schema.ts';
import { toPersonCaller } from '../../domain/resource-caller.ts';
import { deleteResource, restoreResource, updateResource } from './update-resource.ts';
import { routesOf } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  idParams,
  integerParameter,
  nextCursorSchema,
  pageQuery,
} from '../../platform/http/schemas.ts';
import { personNameSchema } from '../../domain/person-name.ts';

const route = routesOf<ResourceDependencies>();
const tag = 'resources';
const answer = z.object({ resource: resourceSchema });
const version = z
  .int()
  .min(1)
  .optional()
  .describe('The version that the caller has seen. Another one is answered 409');
const kindSchema = z.enum(kindNames);

const additionSchema = z.discriminatedUnion(
  'kind',
  resourceKinds.map(({ kind, attributes }) =>
    z.strictObject({ kind: z.literal(kind), attributes, actingFor: personNameSchema.optional() }),
  ) as unknown as [z.ZodObject, ...z.ZodObject[]],
) as unknown as z.ZodType<{ kind: string; attributes: object; actingFor?: string }>;

const createResource = route({
  method: 'POST',
  path: '/api/resources',
  operationId: 'createResource',
  summary: 'Create a resource',
  description:
    'The attributes depend on `kind`. The resource starts with version 1. A repeated request with the same ' +
    '`Idempotency-Key` finds it again.',
  tag,
  right: 'resources.write',
  headers: idempotencyHeaders,
  body: additionSchema,
  answers: { 201: answer },
  errors: ['UNKNOWN_MODEL', 'CONFLICT'],
  handler: async ({ headers, body: { kind, attributes, actingFor }, actor, dependencies }) => {
    const addition = { kind, attributes, key: headers['idempotency-key'] };
    const resource = await addResource(dependencies, toPersonCaller(actor, actingFor), addition);
    return { status: 201, data: { resource } };
  },
});

const listQuery = pageQuery.extend({
  kind: kindSchema.optional().describe('Only resources of this kind'),
  query: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('Words, phrases in quotes, `or`, and `-word`. The best results come first, on one page'),
  filters: z
    .string()
    .max(4000)
    .optional()
    .describe('Filters of the kind, as JSON, such as `{"tags":["billing"]}`'),
  madeBy: z
    .string()
    .regex(/^(person|key|agent):.{1,200}$/, 'expected person:<name>, key:<id> or agent:<id>')
    .optional()
    .describe('Only what `person:<name>`, `key:<id>` or `agent:<id>` has made'),
  deleted: z.enum(['true', 'false']).default('false').describe('Lists deleted resources, and no others'),
});

const listResources = route({
  method: 'GET',
  path: '/api/resources',
  operationId: 'listResources',
  summary: 'List or search resources',
  description:
    'Newest first; with `query` the best results first. Agents are among them, by their newest versions.',
  tag,
  right: 'resources.read',
  query: listQuery,
  answers: { 200: z.object({ resources: z.array(resourceSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query: { filters, madeBy, deleted, ...query }, actor, dependencies }) => {
    const find = {
      ...query,
      filters: filters === undefined ? {} : parseFilters(filters),
      madeBy: madeBy === undefined ? undefined : toMadeBy(madeBy),
      deleted: deleted === 'true',
    };
    const { items, nextCursor } = await findResources(dependencies, toPersonCaller(actor), find);
    return { status: 200, data: { resources: items, nextCursor } };
  },
});

function parseFilters(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createInvalidInput([{ field: 'query.filters', message: 'expected a JSON object' }]);
  }
}

function toMadeBy(text: string): { type: Maker['type']; id: string } {
  const [type = '', ...rest] = text.split(':');
  return { type: type as Maker['type'], id: rest.join(':') };
}

const getOne = route({
  method: 'GET',
  path: '/api/resources/:id',
  operationId: 'getResource',
  summary: 'Get a resource',
  tag,
  right: 'resources.read',
  params: idParams,
  query: z.strictObject({
    deleted: z.enum(['true', 'false']).default('false').describe('Finds a deleted one too'),
  }),
  answers: { 200: answer },
  handler: async ({ params, query, actor, dependencies }) => {
    const wanted = { id: params.id, deleted: query.deleted === 'true' };
    const resource = await getResource(dependencies, toPersonCaller(actor), wanted);
    return { status: 200, data: { resource } };
  },
});

const updateOne = route({
  method: 'PATCH',
  path: '/api/resources/:id',
  operationId: 'updateResource',
  summary: 'Update a resource',
  description: 'Makes a new version. Each attribute in the body is replaced as a whole; the others stay.',
  tag,
  right: 'resources.write',
  params: idParams,
  body: z.strictObject({ attributes: jsonObjectSchema, version, actingFor: personNameSchema.optional() }),
  answers: { 200: answer },
  errors: ['UNKNOWN_MODEL', 'CONFLICT'],
  handler: async ({ params, body, actor, dependencies }) => {
    const update = { id: params.id, attributes: body.attributes, expectedVersion: body.version };
    const resource = await updateResource(dependencies, toPersonCaller(actor, body.actingFor), update);
    return { status: 200, data: { resource } };
  },
});

const deleteOne = route({
  method: 'DELETE',
  path: '/api/resources/:id',
  operationId: 'deleteResource',
  summary: 'Delete a resource',
  description:
    'It is not found any more, and can be restored for 30 days. Then it is removed with its versions.',
  tag,
  right: 'resources.write',
  params: idParams,
  query: z.strictObject({
    version: integerParameter(1, 2_147_483_647).optional().describe('As in an update'),
  }),
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  errors: ['CONFLICT'],
  handler: async ({ params, query, actor, dependencies }) => {
    const deletion = { id: params.id, expectedVersion: query.version };
    await deleteResource(dependencies, toPersonCaller(actor), deletion);
    return { status: 200, data: { deleted: true } };
  },
});

const restoreOne = route({
  method: 'POST',
  path: '/api/resources/:id/restore',
  operationId: 'restoreResource',
  summary: 'Restore a resource',
  description:
    'Takes back that it was deleted. With `version` it also gets a new version with the attributes of that one.',
  tag,
  right: 'resources.write',
  params: idParams,
  body: z
    .strictObject({
      version: z.int().min(1).max(2_147_483_646).optional(),
      actingFor: personNameSchema.optional(),
    })
    .nullish(),
  answers: { 200: answer },
  errors: ['CONFLICT'],
  handler: async ({ params, body, actor, dependencies }) => {
    const caller = toPersonCaller(actor, body?.actingFor);
    const resource = await restoreResource(dependencies, caller, { id: params.id, version: body?.version });
    return { status: 200, data: { resource } };
  },
});

const listVersions = route({
  method: 'GET',
  path: '/api/resources/:id/versions',
  operationId: 'listResourceVersions',
  summary: 'List the versions of a resource, newest first',
  tag,
  right: 'resources.read',
  params: idParams,
  query: z.strictObject({
    limit: integerParameter(1, 100, 20).describe('The most items on a page'),
    before: integerParameter(1, 2_147_483_647).optional().describe('Only versions before this one'),
  }),
  answers: { 200: z.object({ versions: z.array(resourceVersionSchema) }) },
  handler: async ({ params, query, actor, dependencies }) => {
    const page = { id: params.id, ...query };
    const versions = await listResourceVersions(dependencies, toPersonCaller(actor), page);
    return { status: 200, data: { versions } };
  },
});

const getSchema = route({
  method: 'GET',
  path: '/api/resource-schemas',
  operationId: 'getResourceSchema',
  clientName: 'resources.schema',
  summary: 'Get the JSON Schema of an operation on resources',
  description:
    'The schema that `define_tool` gives to agents: the arguments of `resource_manage` for one kind.',
  tag,
  right: 'resources.read',
  query: z.strictObject({ kind: kindSchema, op: z.enum(resourceOperations) }),
  answers: { 200: z.object({ schema: jsonObjectSchema }) },
  handler: ({ query: { kind, op } }) =>
    Promise.resolve({ status: 200 as const, data: { schema: toOperationSchema(kind, op) } }),
});

/** The endpoints of resources. */
export const resourceRoutes = [
  createResource,
  listResources,
  getOne,
  updateOne,
  deleteOne,
  restoreOne,
  listVersions,
  getSchema,
];
