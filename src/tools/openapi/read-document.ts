import { parseDocument } from 'yaml';
import { HoldfastError } from '../../domain/errors.ts';
import { isDeeperThan, isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { RequestCredentials } from '../../domain/request-credentials.ts';
import { createRoutineError } from '../../domain/routine-error.ts';
import { describeNetworkError } from '../../egress/describe-network-error.ts';
import type { GuardedFetch } from '../../egress/guarded-fetch.ts';
import { authorizeRequest } from '../functions/authorize-request.ts';
import type { ToolServices } from '../tool-services.ts';
import { wrong } from './resolve-reference.ts';

/** The most bytes of a document that is JSON, and of one that is YAML, which takes far longer to read. */
export const mostDocumentBytes = { json: 4 * 1024 * 1024, yaml: 512 * 1024 };

const mostLevels = 200;

interface DocumentRequest {
  workspaceId: string;
  url: string;
  credentials: RequestCredentials;
  signal: AbortSignal;
}

/** Reads an OpenAPI document, which is JSON or YAML. @throws RoutineError */
export type ReadOpenApi = (request: DocumentRequest) => Promise<JsonObject>;

interface ReaderParts {
  fetch: GuardedFetch;
  services: Partial<Pick<ToolServices, 'secrets'>>;
}

/** Builds the reading of OpenAPI documents. */
export function createOpenApiReader(parts: ReaderParts): ReadOpenApi {
  return async (request) => {
    const text = await readText(parts, request);
    const document = parseOpenApi(text);
    if (!isJsonObject(document)) throw wrong('it is no object');
    if (isDeeperThan(document, mostLevels)) throw wrong(`it is nested deeper than ${mostLevels} levels`);
    return document;
  };
}

async function readText(
  { fetch, services }: ReaderParts,
  { workspaceId, url, credentials, signal }: DocumentRequest,
): Promise<string> {
  const init = { headers: { accept: 'application/json, application/yaml, */*;q=0.5' }, signal };
  try {
    const parts = { workspaceId, fetch, services, credentials };
    const sent = await authorizeRequest(parts, { url, init });
    const response = await sent.fetch(sent.url, sent.init);
    const text = await response.text();
    if (response.ok) return text;
    const title = `HTTP ${response.status}`;
    const { status } = response;
    throw createRoutineError('communication', 'the OpenAPI document cannot be read', { title, status });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HoldfastError) {
      const type = error.code === 'EGRESS_REFUSED' ? 'authorization' : 'communication';
      throw createRoutineError(type, error.message, { title: error.code });
    }
    if (!(error instanceof TypeError)) throw error;
    const detail = `the OpenAPI document cannot be read: ${describeNetworkError(error)}`;
    throw createRoutineError('communication', detail);
  }
}

/** Reads the text of a document as JSON, or else as YAML without anchors that grow. */
export function parseOpenApi(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (Buffer.byteLength(text) > mostDocumentBytes.yaml)
      throw wrong(`as YAML it may have at most ${mostDocumentBytes.yaml} bytes; write it as JSON`);
  }
  try {
    const parsed = parseDocument(text, { schema: 'core', customTags: [], merge: false });
    if (parsed.errors.length > 0) throw parsed.errors[0] as Error;
    return JSON.parse(JSON.stringify(parsed.toJS({ maxAliasCount: 20 }) ?? null));
  } catch {
    throw wrong('it is neither JSON nor YAML');
  }
}
