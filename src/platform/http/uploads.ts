import { finished } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import { toStorableText } from '../../domain/storable.ts';
import { toOneLine } from '../../domain/text.ts';
import type { HttpServer, UploadedFile } from './server-type.ts';
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

/** Replaces the body while the file is in `request.upload`; the validator accepts it without a check. */
const fileInsteadOfBody = Object.freeze({});

const maxNameCharacters = 300;

/** The memory budget of all uploads together, in bytes. Up to three copies of a file exist until it is stored. */
const defaultMemoryBytes = 8 * limits.fileSize;

/** How long a client should wait when the budget is used up, in milliseconds. */
const retryAfterMs = 5_000;

/** Adds a scope whose routes also accept a file in place of JSON. All other routes accept JSON only. */
export function addUploadScope(
  server: HttpServer,
  addRoute: (scope: HttpServer) => void,
  { memoryBytes = defaultMemoryBytes }: { memoryBytes?: number } = {},
): void {
  const memory = createUploadMemory(memoryBytes);
  void server.register(async (scope: HttpServer) => {
    await scope.register(multipart, { limits });
    scope.decorateRequest('upload');
    scope.addHook('preValidation', async (request, reply) => {
      if (!request.isMultipart()) return;
      let held = 0;
      // `close` is emitted at the end of each request, also when the client disconnects.
      reply.raw.once('close', () => memory.give(held));
      request.upload = await readUpload(request, (bytes) => {
        const isTaken = !reply.raw.destroyed && memory.take(bytes);
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
    let upload: UploadedFile | undefined;
    // The parser throws at a second file, so the form is read to its end.
    for await (const part of request.files()) upload = await readFile(part, take);
    if (upload) return upload;
    throw createInvalidInput([{ field: 'file', message: 'expected a file' }]);
  } catch (error) {
    // After an error the parser reads no further, and the connection would stay busy with the rest of the body.
    await finished(request.raw.resume()).catch(() => undefined);
    throw toUploadError(error);
  }
}

async function readFile(part: MultipartFile, take: UploadMemory['take']): Promise<UploadedFile> {
  if (part.fieldname !== 'file') {
    part.file.resume();
    throw createInvalidInput([
      { field: 'file', message: `expected a file, found one in "${part.fieldname}" only` },
    ]);
  }
  const bytes = await readBytes(part.file, take);
  if (bytes.length > 0) return { name: toFileName(part.filename), mediaType: part.mimetype, bytes };
  throw createInvalidInput([{ field: 'file', message: 'expected content, found none' }]);
}

/** Reads the file to its end, also when it is refused: until then the parser waits, and the client gets no answer. */
async function readBytes(file: MultipartFile['file'], take: UploadMemory['take']): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let fits = true;
  for await (const piece of file as AsyncIterable<Buffer>) {
    fits &&= !file.truncated && take(piece.length);
    if (fits) pieces.push(piece);
    else pieces.length = 0;
  }
  if (file.truncated) throw tooLarge();
  if (fits) return Buffer.concat(pieces);
  const message = 'Too many files are being uploaded now. Try again in a few seconds.';
  throw new HoldfastError('SERVICE_UNAVAILABLE', message, { retryAfterMs });
}

/** Maps every error of the multipart parser to an error about the body. */
export function toUploadError(error: unknown): HoldfastError {
  if (error instanceof HoldfastError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge();
  if (code === 'FST_FILES_LIMIT') {
    const message = 'expected one file, found more than one; send each file in a request of its own';
    return createInvalidInput([{ field: 'file', message }]);
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

/** Returns the name of a file as one line, without folders. */
export function toFileName(fileName: string): string {
  const name = toOneLine(toStorableText(fileName), maxNameCharacters);
  return name === '' ? 'document' : name;
}

/** The memory budget of all files that are being uploaded. */
interface UploadMemory {
  /** Takes bytes from the budget; returns false, and takes none, when too few are left. */
  take: (bytes: number) => boolean;
  give: (bytes: number) => void;
}

/** Creates an unused budget of `maxBytes`. */
function createUploadMemory(maxBytes: number): UploadMemory {
  let left = maxBytes;
  return {
    take: (bytes) => {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    give: (bytes) => void (left += bytes),
  };
}
