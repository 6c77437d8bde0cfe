import { routesOf } from '../../platform/http/route.ts';
import { idParams } from '../../platform/http/schemas.ts';
import { answerFile, type FileAnswerDependencies } from './file-http-answer.ts';

const route = routesOf<FileAnswerDependencies>();

const getBlob = route({
  method: 'GET',
  path: '/api/blobs/:id',
  operationId: 'getBlob',
  summary: 'Get a stored file',
  description:
    'Answers with the bytes of a binary part of a tool result (`blobId` in the `content` of a tool call). The media type of ' +
    'an image or a PDF is found by its content, others are those that the server of the tool has named. The file may be ' +
    'hostile, so the headers make a browser save it instead of opening it.',
  tag: 'blobs',
  right: 'files.read',
  params: idParams,
  answers: {},
  sendsBytes: true,
  handler: answerFile,
});

/** The endpoints of stored files. */
export const resultFileRoutes = [getBlob];
