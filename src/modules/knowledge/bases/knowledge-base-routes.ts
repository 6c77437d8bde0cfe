import { z } from 'zod';
import { createKnowledgeBaseRepository } from './knowledge-base-repository.ts';
import {
  knowledgeBaseChangeSchema,
  knowledgeBaseInputSchema,
  knowledgeBaseSchema,
  knowledgeQuerySchema,
  knowledgeResultSchema,
} from '../../../domain/knowledge.ts';
import { createKnowledgeBase } from './create-knowledge-base.ts';
import { deleteKnowledgeBase } from './delete-knowledge-base.ts';
import type { KnowledgeDependencies } from '../knowledge-dependencies.ts';
import { updateKnowledgeBase } from './update-knowledge-base.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../../platform/http/schemas.ts';
import { documentRoutes } from '../document-routes.ts';

const route = routesOf<KnowledgeDependencies>();
const tag = 'knowledge bases';

const createKnowledgeBaseRoute = route({
  method: 'POST',
  path: '/api/knowledge-bases',
  operationId: 'createKnowledgeBase',
  summary: 'Create a knowledge base',
  description: 'Searches use words, and meaning too when the knowledge base has an embedding model.',
  tag,
  right: 'knowledge.write',
  body: knowledgeBaseInputSchema,
  answers: { 201: z.object({ knowledgeBase: knowledgeBaseSchema }) },
  errors: ['UNKNOWN_MODEL', 'CONFLICT'],
  handler: async ({ body, actor, dependencies }) => {
    const knowledgeBase = await createKnowledgeBase(dependencies, actor, body);
    return { status: 201, data: { knowledgeBase } };
  },
});

const listKnowledgeBases = route({
  method: 'GET',
  path: '/api/knowledge-bases',
  operationId: 'listKnowledgeBases',
  summary: 'List knowledge bases, newest first',
  tag,
  right: 'knowledge.read',
  query: pageQuery,
  answers: { 200: z.object({ knowledgeBases: z.array(knowledgeBaseSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace }) => {
    const { items, nextCursor } = await inWorkspace((trx) =>
      createKnowledgeBaseRepository(trx).listKnowledgeBases(query),
    );
    return { status: 200, data: { knowledgeBases: items, nextCursor } };
  },
});

const getKnowledgeBase = route({
  method: 'GET',
  path: '/api/knowledge-bases/:id',
  operationId: 'getKnowledgeBase',
  summary: 'Get a knowledge base',
  tag,
  right: 'knowledge.read',
  params: idParams,
  answers: { 200: z.object({ knowledgeBase: knowledgeBaseSchema }) },
  handler: async ({ params, inWorkspace }) => {
    const knowledgeBase = await inWorkspace((trx) =>
      createKnowledgeBaseRepository(trx).getKnowledgeBase(params.id),
    );
    return { status: 200, data: { knowledgeBase } };
  },
});

const updateKnowledgeBaseRoute = route({
  method: 'PATCH',
  path: '/api/knowledge-bases/:id',
  operationId: 'updateKnowledgeBase',
  summary: 'Update a knowledge base',
  description:
    'A new embedding model or chunking applies to documents that are processed afterwards. Until it is reprocessed, a ' +
    'document without embeddings of the new model is found by its words only.',
  tag,
  right: 'knowledge.write',
  params: idParams,
  body: knowledgeBaseChangeSchema.refine(
    (change) => Object.keys(change).length > 0,
    'expected at least one field',
  ),
  answers: { 200: z.object({ knowledgeBase: knowledgeBaseSchema }) },
  errors: ['UNKNOWN_MODEL', 'CONFLICT'],
  handler: async ({ params, body, actor, dependencies }) => {
    const update = { id: params.id, change: body };
    const knowledgeBase = await updateKnowledgeBase(dependencies, actor, update);
    return { status: 200, data: { knowledgeBase } };
  },
});

const deleteKnowledgeBaseRoute = route({
  method: 'DELETE',
  path: '/api/knowledge-bases/:id',
  operationId: 'deleteKnowledgeBase',
  summary: 'Delete a knowledge base',
  description:
    'Deletes its documents too. Tools that search it then fail with an error that it does not exist.',
  tag,
  right: 'knowledge.write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params, actor, dependencies }) => {
    await deleteKnowledgeBase(dependencies, actor, params.id);
    return { status: 200, data: { deleted: true } };
  },
});

const queryKnowledgeBase = route({
  method: 'POST',
  path: '/api/knowledge-bases/:id/query',
  operationId: 'queryKnowledgeBase',
  summary: 'Search a knowledge base',
  description:
    'The best results come first. Rankings by words and by meaning are merged by reciprocal rank. `notice` has ' +
    'the reason when the search used words only because the query could not be embedded.',
  tag,
  right: 'knowledge.read',
  params: idParams,
  body: knowledgeQuerySchema,
  answers: { 200: z.object({ results: z.array(knowledgeResultSchema), notice: z.string().nullable() }) },
  handler: async ({ params, body, actor, dependencies, openSignal }) => {
    const { workspaceId } = actor;
    const search = { ...body, workspaceId, knowledgeBaseId: params.id, signal: openSignal() };
    return { status: 200, data: await dependencies.searchKnowledge(search) };
  },
});

/** The endpoints of knowledge bases and their documents. */
export const knowledgeBaseRoutes = [
  createKnowledgeBaseRoute,
  listKnowledgeBases,
  getKnowledgeBase,
  updateKnowledgeBaseRoute,
  deleteKnowledgeBaseRoute,
  queryKnowledgeBase,
  ...documentRoutes,
];
