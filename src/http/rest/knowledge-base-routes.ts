import { z } from 'zod';
import { createKnowledgeBaseRepository } from '../../db/knowledge/knowledge-base-repository.ts';
import {
  knowledgeBaseChangeSchema,
  knowledgeBaseInputSchema,
  knowledgeBaseSchema,
  knowledgeQuerySchema,
  knowledgeResultSchema,
} from '../../domain/knowledge.ts';
import { recordKnowledgeBase } from '../../knowledge/record-knowledge.ts';
import { checkKnowledgeBase } from '../../knowledge/check-knowledge-base.ts';
import { route } from '../server/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../server/schemas.ts';
import { documentRoutes } from './document-routes.ts';

const tag = 'knowledge bases';

const createKnowledgeBase = route({
  method: 'POST',
  path: '/api/knowledge-bases',
  operationId: 'createKnowledgeBase',
  summary: 'Make a knowledge base',
  description: 'Searched by words always, and by meaning too when it has an embedding model.',
  tag,
  scope: 'knowledge:write',
  body: knowledgeBaseInputSchema,
  answers: { 201: z.object({ knowledgeBase: knowledgeBaseSchema }) },
  errors: ['UNKNOWN_MODEL', 'CONFLICT'],
  handler: async ({ body, dependencies, inWorkspace }) => {
    const knowledgeBase = await inWorkspace(async (trx) => {
      await checkKnowledgeBase(dependencies, body, trx);
      const created = await createKnowledgeBaseRepository(trx).createKnowledgeBase(body);
      const { id, name, language, embeddingModel } = created;
      await recordKnowledgeBase(trx, 'created', {
        id,
        name,
        change: { language, embedding_model: embeddingModel },
      });
      return created;
    });
    return { status: 201, data: { knowledgeBase } };
  },
});

const listKnowledgeBases = route({
  method: 'GET',
  path: '/api/knowledge-bases',
  operationId: 'listKnowledgeBases',
  summary: 'List knowledge bases, newest first',
  tag,
  scope: 'knowledge:read',
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
  scope: 'knowledge:read',
  params: idParams,
  answers: { 200: z.object({ knowledgeBase: knowledgeBaseSchema }) },
  handler: async ({ params, inWorkspace }) => {
    const knowledgeBase = await inWorkspace((trx) =>
      createKnowledgeBaseRepository(trx).getKnowledgeBase(params.id),
    );
    return { status: 200, data: { knowledgeBase } };
  },
});

const updateKnowledgeBase = route({
  method: 'PATCH',
  path: '/api/knowledge-bases/:id',
  operationId: 'updateKnowledgeBase',
  summary: 'Change a knowledge base',
  description:
    'A new embedding model or chunking applies to documents as they are processed: until it is reprocessed, a ' +
    'document without embeddings of the new model is found by its words alone.',
  tag,
  scope: 'knowledge:write',
  params: idParams,
  body: knowledgeBaseChangeSchema.refine(
    (change) => Object.keys(change).length > 0,
    'expected at least one field',
  ),
  answers: { 200: z.object({ knowledgeBase: knowledgeBaseSchema }) },
  errors: ['UNKNOWN_MODEL', 'CONFLICT'],
  handler: async ({ params, body, dependencies, inWorkspace }) => {
    const knowledgeBase = await inWorkspace(async (trx) => {
      await checkKnowledgeBase(dependencies, body, trx);
      const updated = await createKnowledgeBaseRepository(trx).updateKnowledgeBase(params.id, body);
      const { id, name } = updated;
      await recordKnowledgeBase(trx, 'updated', { id, name, change: { changed: Object.keys(body) } });
      return updated;
    });
    return { status: 200, data: { knowledgeBase } };
  },
});

const deleteKnowledgeBase = route({
  method: 'DELETE',
  path: '/api/knowledge-bases/:id',
  operationId: 'deleteKnowledgeBase',
  summary: 'Delete a knowledge base with its documents',
  description: 'Tools that lead to it tell the model so.',
  tag,
  scope: 'knowledge:write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params, inWorkspace }) => {
    await inWorkspace(async (trx) => {
      const knowledgeBases = createKnowledgeBaseRepository(trx);
      const { id, name, documentCount } = await knowledgeBases.getKnowledgeBase(params.id);
      await knowledgeBases.deleteKnowledgeBase(id);
      await recordKnowledgeBase(trx, 'deleted', { id, name, change: { documents: documentCount } });
    });
    return { status: 200, data: { deleted: true } };
  },
});

const queryKnowledgeBase = route({
  method: 'POST',
  path: '/api/knowledge-bases/:id/query',
  operationId: 'queryKnowledgeBase',
  summary: 'Search a knowledge base, best results first',
  description:
    'Rankings by words and by meaning are merged by reciprocal rank. `notice` says when words alone were used ' +
    'because the query could not be embedded.',
  tag,
  scope: 'knowledge:read',
  params: idParams,
  body: knowledgeQuerySchema,
  answers: { 200: z.object({ results: z.array(knowledgeResultSchema), notice: z.string().nullable() }) },
  handler: async ({ params, body, principal, dependencies, openSignal }) => {
    const { workspaceId } = principal;
    const search = { ...body, workspaceId, knowledgeBaseId: params.id, signal: openSignal() };
    return { status: 200, data: await dependencies.searchKnowledge(search) };
  },
});

/** What can be done with knowledge bases and their documents. */
export const knowledgeBaseRoutes = [
  createKnowledgeBase,
  listKnowledgeBases,
  getKnowledgeBase,
  updateKnowledgeBase,
  deleteKnowledgeBase,
  queryKnowledgeBase,
  ...documentRoutes,
];
