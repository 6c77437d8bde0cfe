import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { ResultFileStore, FailedResult, StoredFile, ToolResult } from '../../domain/tool.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { RequestInput } from './build-request.ts';
import type { Operation } from './define-operation.ts';
import { maxFileBytes } from './send-call.ts';
import type { ReadAnswer } from './send-request.ts';

/** Where files come from and go to. */
export interface OperationFiles {
  resultFiles: ResultFileStore;
  workspaceId: string;
  /** The turn that the files of answers belong to. */
  turnId: string | undefined;
}

/**
 * Puts stored files in place of their ids.
 * @throws HoldfastError `INVALID_TOOL_ARGUMENTS` for a file that the workspace does not have
 */
export async function loadFiles(
  { files = [] }: Pick<Operation, 'files'>,
  input: JsonObject,
  { resultFiles, workspaceId }: OperationFiles,
): Promise<RequestInput> {
  const load = async (field: string, id: JsonValue) => {
    try {
      return await resultFiles.get({ workspaceId, id: typeof id === 'string' ? id : '' });
    } catch (error) {
      if (!(error instanceof HoldfastError) || error.code !== 'NOT_FOUND') throw error;
      const message = 'expected the id of a stored file of this workspace';
      throw new HoldfastError('INVALID_TOOL_ARGUMENTS', `The argument ${field}: ${message}.`, {
        details: [{ field, message }],
      });
    }
  };
  const loaded = files.map(async (field): Promise<[string, StoredFile | StoredFile[]][]> => {
    const value = input[field];
    if (value === undefined) return [];
    if (!Array.isArray(value)) return [[field, await load(field, value)]];
    return [[field, await Promise.all(value.map((id) => load(field, id)))]];
  });
  return { ...input, ...Object.fromEntries((await Promise.all(loaded)).flat()) };
}

/** Stores the bytes of an answer; the result has the id of the file, its name, type and size. */
export async function storeAnswer(
  { title }: { title: string },
  { bytes, headers, truncated }: ReadAnswer,
  { resultFiles, workspaceId, turnId }: OperationFiles,
): Promise<ToolResult> {
  if (truncated) return tooLarge(title);
  const mediaType = headers.get('content-type') ?? 'application/octet-stream';
  const name = readFileName(headers.get('content-disposition'));
  const { id } = await resultFiles.put({
    ...{ workspaceId, bytes, mediaType },
    ...(name === undefined ? {} : { name }),
    ...(turnId === undefined ? {} : { turnId }),
  });
  const file = { id, name: name ?? null, mediaType, bytes: bytes.byteLength };
  return { status: 'succeeded', text: JSON.stringify({ file }), content: [{ type: 'file', ...file }] };
}

function tooLarge(title: string): FailedResult {
  const message = `${title}: The file is larger than ${maxFileBytes} bytes and was not stored.`;
  return { status: 'failed', error: { code: 'RESPONSE_TOO_LARGE', message } };
}

/** The name in `Content-Disposition` (RFC 6266), without a path. */
function readFileName(header: string | null): string | undefined {
  const encoded = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(header ?? '')?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;]+))/i.exec(header ?? '');
  const name = encoded === undefined ? (plain?.[1] ?? plain?.[2]) : decode(encoded);
  const last = name?.trim().split(/[/\\]/).at(-1);
  return last === '' ? undefined : last;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return text;
  }
}
