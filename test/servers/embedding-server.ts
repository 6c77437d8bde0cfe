import type { IncomingHttpHeaders } from 'node:http';
import { startHttpServer } from './http-server.ts';

/** A request that the server got. */
export interface EmbeddingRequest {
  model: string;
  texts: string[];
  headers: IncomingHttpHeaders;
}

/** An OpenAI-compatible embedding server that returns equal embeddings for equal words. */
export interface EmbeddingServer {
  /** The base URL of the vendor `compatible`. */
  baseUrl: string;
  requests: EmbeddingRequest[];
  /** Answers a request in place of the server with its status and body; undefined leaves it to the server. */
  intercept: (answer: Interceptor | null) => void;
  close: () => Promise<void>;
}

type Interceptor = (request: EmbeddingRequest) => Promise<{ status: number; body: unknown } | undefined>;

const dimensions = 64;

/** The words that have the same meaning for this model. */
const synonyms: Record<string, string> = { automobile: 'car', vehicle: 'car', feline: 'cat', kitten: 'cat' };

/** Starts the server on loopback. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  let interceptor: Interceptor | null = null;
  const server = await startHttpServer(async ({ headers }, response, text) => {
    const { model, input } = JSON.parse(text) as { model: string; input: string[] };
    const received = { model, texts: input, headers };
    requests.push(received);
    const answer = (await interceptor?.(received)) ?? { status: 200, body: toAnswer(received) };
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  });
  return {
    baseUrl: `${server.url}/v1`,
    requests,
    intercept: (answer) => {
      interceptor = answer;
    },
    close: server.close,
  };
}

function toAnswer({ model, texts }: EmbeddingRequest) {
  return {
    object: 'list',
    model,
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: toWordVector(text) })),
    usage: { prompt_tokens: texts.length, total_tokens: texts.length },
  };
}

/** Returns a vector that counts words, each at a position that is computed from its letters. */
export function toWordVector(text: string): number[] {
  const vector = Array<number>(dimensions).fill(0);
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\d]{3,}/gu)) {
    const meaning = synonyms[word] ?? word;
    let hash = 2_166_136_261;
    for (const letter of meaning) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0;
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}
