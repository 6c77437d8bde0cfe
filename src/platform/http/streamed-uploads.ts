import { finished } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import type { HttpServer } from './server-type.ts';
import { toFileName, toUploadError } from './uploads.ts';

/** A file that arrives while it is read. */
export interface StreamedUpload {
  name: string;
  /** The declared media type. */
  mediaType: string;
  /** The bytes. A reader that stops early leaves the rest of the request unread. */
  content: AsyncGenerator<Uint8Array>;
}

/** The maximum number of files that are uploaded to one process at the same time. Each needs a few MiB of memory. */
const mostUploads = 32;

/** The maximum number of them that one workspace may have, so that slow uploads of one do not keep out all others. */
const mostOfWorkspace = 24;

/** How long a client should wait when there are too many uploads, in milliseconds. */
const retryAfterMs = 5_000;

/** How long the rest of a refused request is read, in milliseconds. Most clients read their answer after they have sent all. */
const longestRestMs = 5_000;

/** The use case limits the size of the file. */
const limits = { fileSize: Infinity, files: 1, fields: 10, fieldSize: 10_000, fieldNameSize: 100, parts: 11 };

/**
 * Adds a scope whose routes take one file as `multipart/form-data` in the field `file`, and no other body. The file reaches
 * the handler as it arrives, by {@link openUpload}.
 */
export function addFileScope(server: HttpServer, addRoute: (scope: HttpServer) => void): void {
  let uploads = 0;
  const ofWorkspaces = new Map<string, number>();
  const count = (workspaceId: string, change: 1 | -1) => {
    uploads += change;
    const own = (ofWorkspaces.get(workspaceId) ?? 0) + change;
    if (own === 0) ofWorkspaces.delete(workspaceId);
    else ofWorkspaces.set(workspaceId, own);
  };
  void server.register(async (scope: HttpServer) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(noForm()));
    await scope.register(multipart, { limits, throwFileSizeLimit: false });
    scope.addHook('preValidation', ({ actor: { workspaceId } }, reply, done) => {
      if (uploads >= mostUploads || (ofWorkspaces.get(workspaceId) ?? 0) >= mostOfWorkspace) {
        done(tooManyUploads());
        return;
      }
      count(workspaceId, 1);
      // `close` is emitted at the end of each request, also when the client disconnects.
      reply.raw.once('close', () => count(workspaceId, -1));
      done();
    });
    addRoute(scope);
  });
}

/**
 * Reads a form up to its file.
 * @throws HoldfastError `UNSUPPORTED_MEDIA_TYPE` for a body that is no form; `INVALID_INPUT` for a form without one file
 */
export async function openUpload(request: FastifyRequest): Promise<StreamedUpload> {
  if (!request.isMultipart()) throw noForm();
  const files = request.files();
  try {
    const first = await files.next();
    if (first.done === true) throw createInvalidInput([{ field: 'file', message: 'expected a file' }]);
    const { filename, mimetype, fieldname } = first.value;
    if (fieldname !== 'file') throw wrongField(fieldname);
    return {
      name: toFileName(filename),
      mediaType: mimetype,
      content: readFile(request, first.value, files),
    };
  } catch (error) {
    await readRest(request);
    throw toUploadError(error);
  }
}

async function* readFile(
  request: FastifyRequest,
  { file }: MultipartFile,
  others: AsyncIterator<MultipartFile>,
): AsyncGenerator<Uint8Array> {
  try {
    // A destroyed file would end the parser, and the client would get no answer.
    yield* file.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    // The parser throws at a second file.
    await others.next();
  } catch (error) {
    throw toUploadError(error);
  } finally {
    file.resume();
    await readRest(request);
  }
}

/** Reads and drops the rest of a request. */
async function readRest({ raw }: FastifyRequest): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return;
  await finished(raw.resume(), { signal: AbortSignal.timeout(longestRestMs) }).catch(() => undefined);
}

function wrongField(name: string): HoldfastError {
  const message = `expected a file, found one in "${name}" only`;
  return createInvalidInput([{ field: 'file', message }]);
}

function noForm(): HoldfastError {
  const message = 'Expected a body with "Content-Type: multipart/form-data" and a file in the field "file".';
  return new HoldfastError('UNSUPPORTED_MEDIA_TYPE', message);
}

function tooManyUploads(): HoldfastError {
  const message = 'Too many files are being uploaded now. Try again in a few seconds.';
  return new HoldfastError('SERVICE_UNAVAILABLE', message, { retryAfterMs });
}
