import { parseDocument } from 'yaml';
import { HoldfastError } from '../../domain/errors.ts';
import { isDeeperThan, isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { RequestCredentials } from '../../domain/request-credentials.ts';
import { createRoutineError } from '../../domain/routine-error.ts';
import { describeNetworkError } from '../../egress/describe-network-error.ts';
import type { GuardedFetch } from '../../egress/guarded-fetch.ts';
import { authorizeRequest } from '../functions/authorize-request.ts';
import type { ToolServices } from '../tool-services.ts';
import { createDocumentCache } from './document-cache.ts';
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
  /** @default Date.now */
  now?: () => number;
}

/** Builds the reading of OpenAPI documents, which keeps those that it has read for a while. */
export function createOpenApiReader({ now = Date.now, ...parts }: ReaderParts): ReadOpenApi {
  const documents = createDocumentCache(now);
  return async (request) => {
    const known = documents.find(request);
    if (known?.isFresh) return known.document;
    const answer = await send(parts, request, known?.conditions);
    if (known && answer.status === 304) {
      documents.keep(request, { ...known, headers: answer.headers });
      return known.document;
    }
    const document = toDocument(answer.text);
    documents.keep(request, { ...answer, document, size: answer.text.length });
    return document;
  };
}

function toDocument(text: string): JsonObject {
  const document = parseOpenApi(text);
  if (!isJsonObject(document)) throw wrong('it is no object');
  if (isDeeperThan(document, mostLevels)) throw wrong(`it is nested deeper than ${mostLevels} levels`);
  return document;
}

type SendingParts = Pick<ReaderParts, 'fetch' | 'services'>;

/** Sends the request of a document; with conditions the answer may be 304 without a text. @throws RoutineError */
async function send(
  { fetch, services }: SendingParts,
  { workspaceId, url, credentials, signal }: DocumentRequest,
  conditions: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const accept = 'application/json, application/yaml, */*;q=0.5';
  const init = { headers: { accept, ...conditions }, signal };
  try {
    const parts = { workspaceId, fetch, services, credentials };
    const sent = await authorizeRequest(parts, { url, init });
    const response = await sent.fetch(sent.url, sent.init);
    const { ok, status, headers } = response;
    const text = await response.text();
    if (ok || (status === 304 && Object.keys(conditions).length > 0)) return { status, headers, text };
    const title = `HTTP ${status}`;
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
