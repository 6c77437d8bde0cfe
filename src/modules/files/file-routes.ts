import { z } from 'zod';
import { createFileRepository } from './file-repository.ts';
import { storedFileSchema } from '../../domain/file.ts';
import { addFile } from './add-file.ts';
import { deleteFile } from './delete-file.ts';
import type { FileDependencies } from './file-dependencies.ts';
import { requireSeen } from '../workspaces/require-seen.ts';
import { routesOf } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  idParams,
  nextCursorSchema,
  pageQuery,
  toReplayedHeaders,
} from '../../platform/http/schemas.ts';
import { answerFile, type FileAnswerDependencies } from './file-http-answer.ts';

const route = routesOf<FileDependencies & FileAnswerDependencies>();
const tag = 'files';

const createFileRoute = route({
  method: 'POST',
  path: '/api/files',
  operationId: 'createFile',
  summary: 'Upload a file',
  description:
    'Takes one file as `multipart/form-data` in the field `file`, and stores it as it arrives. `mediaType` is found by the ' +
    'content; the declared type only decides between kinds of text. A file that no message names is deleted after 7 days. ' +
    'The answer to a repeated request has the header `Idempotent-Replayed: true`.',
  tag,
  right: 'files.write',
  headers: idempotencyHeaders,
  takesOnlyFile: true,
  answers: { 201: z.object({ file: storedFileSchema }) },
  errors: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED', 'DOCUMENT_UNREADABLE', 'FILE_REFUSED'],
  handler: async ({ headers, openUpload, actor, dependencies, logIds, openSignal }) => {
    const signal = openSignal();
    const request = { upload: await openUpload(), idempotencyKey: headers['idempotency-key'], signal };
    const { file, accepted } = await addFile(dependencies, actor, request);
    logIds({ fileId: file.id });
    return { status: 201, data: { file }, headers: toReplayedHeaders(accepted) };
  },
});

const listFiles = route({
  method: 'GET',
  path: '/api/files',
  operationId: 'listFiles',
  summary: 'List uploaded files, newest first',
  tag,
  right: 'files.read',
  query: pageQuery,
  answers: { 200: z.object({ files: z.array(storedFileSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace }) => {
    const { items, nextCursor } = await inWorkspace((trx) => createFileRepository(trx).listFiles(query));
    return { status: 200, data: { files: items, nextCursor } };
  },
});

const getFile = route({
  method: 'GET',
  path: '/api/files/:id',
  operationId: 'getFile',
  summary: 'Get the facts about a file',
  description: 'Finds binary parts of tool results too.',
  tag,
  right: 'files.read',
  params: idParams,
  answers: { 200: z.object({ file: storedFileSchema }) },
  handler: async ({ params, actor, dependencies }) => {
    const { workspaceId } = actor;
    await requireSeen(dependencies.database, actor, { kind: 'file', id: params.id });
    const file = await dependencies.fileStore.find({ workspaceId, id: params.id });
    return { status: 200, data: { file } };
  },
});

const getFileContent = route({
  method: 'GET',
  path: '/api/files/:id/content',
  operationId: 'getFileContent',
  summary: 'Download a file',
  description:
    'Answers with the bytes. The file may be hostile, so the headers make a browser save it instead of opening it.',
  tag,
  right: 'files.read',
  params: idParams,
  answers: {},
  sendsBytes: true,
  handler: answerFile,
});

const deleteFileRoute = route({
  method: 'DELETE',
  path: '/api/files/:id',
  operationId: 'deleteFile',
  summary: 'Delete an uploaded file',
  description:
    'Deletes the bytes, also when messages name the file; models are then told that it was deleted. The parts of tool ' +
    'results are deleted with their conversation.',
  tag,
  right: 'files.write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  errors: ['CONFLICT'],
  handler: async ({ params, actor, dependencies }) => {
    await deleteFile(dependencies, actor, params.id);
    return { status: 200, data: { deleted: true } };
  },
});

/** The endpoints of uploaded files. */
export const fileRoutes = [createFileRoute, listFiles, getFile, getFileContent, deleteFileRoute];
