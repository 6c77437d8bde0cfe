import { HoldfastError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { RequestCredentials } from '../../../domain/request-credentials.ts';
import { createRoutineError } from '../../../domain/routine-error.ts';
import { describeNetworkError } from '../../../platform/egress/describe-network-error.ts';
import type { GuardedFetch } from '../../../platform/egress/guarded-fetch.ts';
import { authorizeRequest } from '../functions/authorize-request.ts';
import { parseOpenApiText } from '../../openapi/parse-openapi-text.ts';
import type { ToolServices } from '../tool-services.ts';
import { createDocumentCache } from './document-cache.ts';
import { orRoutineError } from './routine-failure.ts';

/** The most bytes of a document that is JSON, and of one that is YAML, which takes far longer to read. */
export const mostDocumentBytes = { json: 4 * 1024 * 1024, yaml: 512 * 1024 };

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
    const document = parseOpenApi(answer.text);
    documents.keep(request, { ...answer, document, size: answer.text.length });
    return document;
  };
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

/** Reads the text of a document as JSON, or else as YAML without anchors that grow. @throws RoutineError */
export function parseOpenApi(text: string): JsonObject {
  return orRoutineError(() => parseOpenApiText(text, { mostYamlBytes: mostDocumentBytes.yaml }));
}
