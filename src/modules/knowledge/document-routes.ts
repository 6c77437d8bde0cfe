import { z } from 'zod';
import { createDocumentRepository } from './document-repository.ts';
import { documentSchema, textDocumentSchema } from '../../domain/knowledge.ts';
import type { FileDependencies } from '../files/file-dependencies.ts';
import { addDocument } from './add-document.ts';
import { deleteDocument } from './delete-document.ts';
import type { KnowledgeDependencies } from './knowledge-dependencies.ts';
import { reprocessDocument } from './reprocess-document.ts';
import { routesOf } from '../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../platform/http/schemas.ts';
import { maxUploadMegabytes } from '../../platform/http/uploads.ts';

const route = routesOf<KnowledgeDependencies & Pick<FileDependencies, 'scanFile'>>();
const tag = 'knowledge bases';
const documentParams = idParams.extend({ documentId: z.uuid() });

const createDocument = route({
  method: 'POST',
  path: '/api/knowledge-bases/:id/documents',
  operationId: 'createDocument',
  summary: 'Create a document',
  description:
    `Takes a file of at most ${maxUploadMegabytes} MiB as \`multipart/form-data\` in the field \`file\`, or a small ` +
    'text as JSON. Text, Markdown, HTML, PDF and DOCX can be read. The document is processed in the background; `status` ' +
    'and `progress` show the state.',
  tag,
  right: 'knowledge.write',
  params: idParams,
  body: textDocumentSchema,
  takesFile: true,
  answers: { 202: z.object({ document: documentSchema }) },
  errors: ['FILE_REFUSED'],
  handler: async ({ params, body, upload, actor, dependencies, log, logIds, openSignal }) => {
    const input = { knowledgeBaseId: params.id, source: upload ?? body, signal: openSignal() };
    const document = await addDocument({ ...dependencies, logger: log }, actor, input);
    logIds({ documentId: document.id });
    return { status: 202, data: { document } };
  },
});

const listDocuments = route({
  method: 'GET',
  path: '/api/knowledge-bases/:id/documents',
  operationId: 'listDocuments',
  summary: 'List the documents of a knowledge base, newest first',
  tag,
  right: 'knowledge.read',
  params: idParams,
  query: pageQuery,
  answers: { 200: z.object({ documents: z.array(documentSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ params, query, inWorkspace }) => {
    const { items, nextCursor } = await inWorkspace((trx) =>
      createDocumentRepository(trx).listDocuments({ ...query, knowledgeBaseId: params.id }),
    );
    return { status: 200, data: { documents: items, nextCursor } };
  },
});

const getDocument = route({
  method: 'GET',
  path: '/api/knowledge-bases/:id/documents/:documentId',
  operationId: 'getDocument',
  summary: 'Get a document',
  tag,
  right: 'knowledge.read',
  params: documentParams,
  answers: { 200: z.object({ document: documentSchema }) },
  handler: async ({ params, inWorkspace }) => {
    const { id: knowledgeBaseId, documentId } = params;
    const document = await inWorkspace((trx) =>
      createDocumentRepository(trx).getDocument({ knowledgeBaseId, documentId }),
    );
    return { status: 200, data: { document } };
  },
});

const deleteDocumentRoute = route({
  method: 'DELETE',
  path: '/api/knowledge-bases/:id/documents/:documentId',
  operationId: 'deleteDocument',
  summary: 'Delete a document',
  description: 'A document can be deleted while it is processed.',
  tag,
  right: 'knowledge.write',
  params: documentParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params, actor, dependencies }) => {
    const { id: knowledgeBaseId, documentId } = params;
    await deleteDocument(dependencies, actor, { knowledgeBaseId, documentId });
    return { status: 200, data: { deleted: true } };
  },
});

const reprocessDocumentRoute = route({
  method: 'POST',
  path: '/api/knowledge-bases/:id/documents/:documentId/reprocess',
  operationId: 'reprocessDocument',
  summary: 'Reprocess a document',
  description:
    'Uses the present chunking and embedding model of its knowledge base. Searches find the present chunks until the ' +
    'new ones are ready, and also when the new processing fails.',
  tag,
  right: 'knowledge.write',
  params: documentParams,
  body: z.strictObject({}).nullish(),
  answers: { 202: z.object({ document: documentSchema }) },
  handler: async ({ params, actor, dependencies, log, logIds }) => {
    const { id: knowledgeBaseId, documentId } = params;
    const key = { knowledgeBaseId, documentId };
    const document = await reprocessDocument({ ...dependencies, logger: log }, actor, key);
    logIds({ documentId: document.id });
    return { status: 202, data: { document } };
  },
});

/** The endpoints of the documents of a knowledge base. */
export const documentRoutes = [
  createDocument,
  listDocuments,
  getDocument,
  deleteDocumentRoute,
  reprocessDocumentRoute,
];
