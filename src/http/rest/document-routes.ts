import { z } from 'zod';
import { createDocumentRepository } from '../../db/knowledge/document-repository.ts';
import { documentSchema, textDocumentSchema } from '../../domain/knowledge.ts';
import { recordDocument } from '../../knowledge/record-knowledge.ts';
import { startIngestion, toNewDocument } from '../../knowledge/add-document.ts';
import { route } from '../server/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../server/schemas.ts';
import { maxUploadMegabytes } from '../server/uploads.ts';

const tag = 'knowledge bases';
const documentParams = idParams.extend({ documentId: z.uuid() });

const createDocument = route({
  method: 'POST',
  path: '/api/knowledge-bases/:id/documents',
  operationId: 'createDocument',
  summary: 'Upload a document',
  description:
    `A file of at most ${maxUploadMegabytes} MiB as \`multipart/form-data\` in the field \`file\`, or a small text as ` +
    'JSON: text, Markdown, HTML, PDF or DOCX. It is processed in the background; `status` and `progress` of the ' +
    'document say how far it is.',
  tag,
  scope: 'knowledge:write',
  params: idParams,
  body: textDocumentSchema,
  takesFile: true,
  answers: { 202: z.object({ document: documentSchema }) },
  handler: async ({ params, body, upload, inWorkspace, ...context }) => {
    const input = toNewDocument(params.id, upload ?? body);
    const stored = await inWorkspace(async (trx) => {
      const created = await createDocumentRepository(trx).createDocument(input);
      await recordDocument(trx, 'created', created.document);
      return created;
    });
    await startIngestion(context, stored);
    return { status: 202, data: { document: stored.document } };
  },
});

const listDocuments = route({
  method: 'GET',
  path: '/api/knowledge-bases/:id/documents',
  operationId: 'listDocuments',
  summary: 'List the documents of a knowledge base, newest first',
  tag,
  scope: 'knowledge:read',
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
  summary: 'Get a document, and how far it is processed',
  tag,
  scope: 'knowledge:read',
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

const deleteDocument = route({
  method: 'DELETE',
  path: '/api/knowledge-bases/:id/documents/:documentId',
  operationId: 'deleteDocument',
  summary: 'Delete a document',
  description: 'Also while it is processed.',
  tag,
  scope: 'knowledge:write',
  params: documentParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params, inWorkspace }) => {
    const { id: knowledgeBaseId, documentId } = params;
    await inWorkspace(async (trx) => {
      const documents = createDocumentRepository(trx);
      const document = await documents.getDocument({ knowledgeBaseId, documentId });
      await documents.deleteDocument({ knowledgeBaseId, documentId });
      await recordDocument(trx, 'deleted', document);
    });
    return { status: 200, data: { deleted: true } };
  },
});

const reprocessDocument = route({
  method: 'POST',
  path: '/api/knowledge-bases/:id/documents/:documentId/reprocess',
  operationId: 'reprocessDocument',
  summary: 'Process a document again',
  description:
    'With the chunking and the embedding model that its knowledge base has now. What is found of it stays until the ' +
    'new processing is done, and also when that fails.',
  tag,
  scope: 'knowledge:write',
  params: documentParams,
  body: z.strictObject({}).nullish(),
  answers: { 202: z.object({ document: documentSchema }) },
  handler: async ({ params, inWorkspace, ...context }) => {
    const { id: knowledgeBaseId, documentId } = params;
    const stored = await inWorkspace(async (trx) => {
      const documents = createDocumentRepository(trx);
      const restarted = await documents.reprocessDocument({ knowledgeBaseId, documentId });
      await recordDocument(trx, 'reprocessed', restarted.document);
      return restarted;
    });
    await startIngestion(context, stored);
    return { status: 202, data: { document: stored.document } };
  },
});

/** What can be done with the documents of a knowledge base. */
export const documentRoutes = [createDocument, listDocuments, getDocument, deleteDocument, reprocessDocument];
