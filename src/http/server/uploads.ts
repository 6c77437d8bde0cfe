import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import { toStorableText } from '../../domain/storable.ts';
import { toOneLine } from '../../domain/text.ts';
import type { HttpServer, UploadedFile } from './server-type.ts';
import { createUploadMemory, type UploadMemory } from './upload-memory.ts';
import { compileValidator } from './validation.ts';

/** The largest file that is accepted, in MiB. */
export const maxUploadMegabytes = 32;

const limits = {
  fileSize: maxUploadMegabytes * 1024 * 1024,
  files: 1,
  fields: 10,
  fieldSize: 10_000,
  fieldNameSize: 100,
  headerPairs: 50,
  parts: 11,
};

/** Stands in place of a body while the file is in `request.upload`: there is nothing in it to be checked. */
const fileInsteadOfBody = Object.freeze({});

const maxNameCharacters = 300;

/** How much of all files is in memory at once, in bytes. On its way to the database each is there up to three times. */
const defaultMemoryBytes = 8 * limits.fileSize;

/** How long a client should wait that finds no room, in milliseconds. */
const retryAfterMs = 5_000;

/** Adds a scope whose routes take a file in place of JSON; the rest of the server goes on taking JSON only. */
export function addUploadScope(
  server: HttpServer,
  addRoute: (scope: HttpServer) => void,
  { memoryBytes = defaultMemoryBytes }: { memoryBytes?: number } = {},
): void {
  const room = createUploadMemory(memoryBytes);
  void server.register(async (scope: HttpServer) => {
    await scope.register(multipart, { limits });
    scope.decorateRequest('upload');
    scope.addHook('preValidation', async (request, reply) => {
      if (!request.isMultipart()) return;
      let held = 0;
      // Comes at the end of each request, also when the client has left.
      reply.raw.once('close', () => room.give(held));
      request.upload = await readUpload(request, (bytes) => {
        const isTaken = !reply.raw.destroyed && room.take(bytes);
        if (isTaken) held += bytes;
        return isTaken;
      });
      request.body = fileInsteadOfBody;
    });
    scope.setValidatorCompiler(((route: Parameters<typeof compileValidator>[0]) => {
      const validate = compileValidator(route);
      return (input: unknown) => (input === fileInsteadOfBody ? { value: input } : validate(input));
    }) as FastifySchemaCompiler<unknown>);
    addRoute(scope);
  });
}

async function readUpload(request: FastifyRequest, take: UploadMemory['take']): Promise<UploadedFile> {
  try {
    const part = await request.file();
    if (!part) throw createInvalidInput([{ field: 'file', message: 'expected a file' }]);
    if (part.fieldname !== 'file') {
      part.file.resume();
      throw createInvalidInput([
        { field: 'file', message: `expected a file, found one in "${part.fieldname}" only` },
      ]);
    }
    const bytes = await readBytes(part.file, take);
    if (bytes.length === 0)
      throw createInvalidInput([{ field: 'file', message: 'expected content, found none' }]);
    return { name: toName(part.filename), mediaType: part.mimetype, bytes };
  } catch (error) {
    throw toUploadError(error);
  }
}

/** Reads to the end in any case: the parser waits for it, and the client for an answer. */
async function readBytes(file: MultipartFile['file'], take: UploadMemory['take']): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let hasRoom = true;
  for await (const piece of file as AsyncIterable<Buffer>) {
    hasRoom &&= !file.truncated && take(piece.length);
    if (hasRoom) pieces.push(piece);
    else pieces.length = 0;
  }
  if (file.truncated) throw tooLarge();
  if (hasRoom) return Buffer.concat(pieces);
  const message = 'Too many files are being uploaded at once. Try again in a few seconds.';
  throw new HoldfastError('SERVICE_UNAVAILABLE', message, { retryAfterMs });
}

/** What the parser of multipart bodies throws is about the body, whatever it is. */
function toUploadError(error: unknown): HoldfastError {
  if (error instanceof HoldfastError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    return tooLarge();
  }
  const reason = error instanceof Error ? error.message : String(error);
  return createInvalidInput([
    { field: 'body', message: `expected valid multipart/form-data with one file: ${reason}` },
  ]);
}

function tooLarge(): HoldfastError {
  const message = `The file is larger than the ${maxUploadMegabytes} MiB that are accepted.`;
  return new HoldfastError('PAYLOAD_TOO_LARGE', message);
}

function toName(fileName: string): string {
  const name = toOneLine(toStorableText(fileName), maxNameCharacters);
  return name === '' ? 'document' : name;
}
