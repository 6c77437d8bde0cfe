import { embedMany } from 'ai';
import { HoldfastError } from '../../domain/errors.ts';
import type { MakeEmbeddings } from '../../domain/knowledge.ts';
import { wrapperTokens } from '../../domain/measure-call.ts';
import { estimateTextTokens } from '../../domain/token-estimate.ts';
import { capStream } from '../../platform/egress/capped-body.ts';
import { toModelFailure } from './model-failures.ts';
import { checkModelName, parseModelName } from './model-name.ts';
import type { ConnectOptions } from './model-vendor.ts';
import type { ModelsConfig } from './models-config.ts';
import { createModelOpener, type ModelConnections } from './open-model.ts';
import { hostedVendors } from './vendor-catalogue.ts';

/** How much of one answer is read, in bytes; a batch of the longest vectors is smaller. */
const maxAnswerBytes = 32 * 1024 * 1024;

/** Creates the function that embeds texts, with the operator's keys or with those of `connections`. */
export function createEmbedder(config: ModelsConfig, connections?: ModelConnections): MakeEmbeddings {
  const open = createModelOpener(config, connections);
  return async ({ workspaceId, model, connectionId }, texts, signal) => {
    signal.throwIfAborted();
    const problem = checkEmbeddingModelName(config, model, { hasConnection: connectionId !== null });
    if (problem !== null) throw new HoldfastError('UNKNOWN_MODEL', problem);
    const connection = connectionId === null ? {} : { connection: { workspaceId, connectionId } };
    const { modelId, getClient, redact } = await open({ model, ...connection });
    try {
      const { embeddings, usage } = await embedMany({
        model: getClient('embedding', withCap).embeddingModel(modelId),
        values: texts,
        maxRetries: 0,
        maxParallelCalls: 2,
        abortSignal: signal,
        telemetry: { isEnabled: false },
      });
      // The SDK says NaN when the server reports no usage.
      const tokens = usage.tokens || estimateTextTokens(texts.join(''));
      return { vectors: embeddings, tokens: Math.min(tokens, countMostTokens(texts)) };
    } catch (error) {
      signal.throwIfAborted();
      throw toModelFailure(error, { model, redact });
    }
  };
}

/** A token is at least one byte of its text. */
function countMostTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + wrapperTokens, 0);
}

/** Checks that embeddings can be made by a model of this name: null, or one sentence that says why not. */
export function checkEmbeddingModelName(
  config: ModelsConfig,
  name: string,
  { hasConnection }: { hasConnection: boolean },
): string | null {
  if (hostedVendors.get(parseModelName(name).vendor)?.makesEmbeddings !== true) {
    const known = [...hostedVendors].flatMap(([prefix, vendor]) =>
      vendor.makesEmbeddings ? [`${prefix}/…`] : [],
    );
    return `Expected an embedding model named ${known.join(', ')}, found "${name.slice(0, 100)}".`;
  }
  return checkModelName(config, name, { hasConnection });
}

/** The AI SDK reads an answer as a whole, and a tenant may name the server that sends it. */
function withCap({ fetch: request, ...options }: ConnectOptions): ConnectOptions {
  return {
    ...options,
    fetch: async (input, init) => {
      const response = await request(input, init);
      if (!response.body) return response;
      const { status, statusText, headers } = response;
      return new Response(capStream(response.body, maxAnswerBytes), { status, statusText, headers });
    },
  };
}
