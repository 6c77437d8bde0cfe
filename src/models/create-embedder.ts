import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embedMany, type EmbeddingModel } from 'ai';
import { HoldfastError } from '../domain/errors.ts';
import type { EmbedTexts } from '../domain/knowledge.ts';
import { capStream } from '../egress/capped-body.ts';
import { createModelOpener, type ModelConnections } from './connect-models.ts';
import { toModelFailure } from './model-failures.ts';
import { checkModelName, parseModelName } from './model-name.ts';
import type { ConnectOptions } from './model-providers.ts';
import type { ModelsConfig } from './models-config.ts';

type ConnectEmbeddings = (options: ConnectOptions) => (modelId: string) => EmbeddingModel;

/** The providers that have embedding models, by the prefix of their names. */
const embeddingProviders = new Map<string, ConnectEmbeddings>([
  ['openai', ({ apiKey = '', ...options }) => toModels(createOpenAI({ apiKey, ...options }))],
  ['google', ({ apiKey = '', ...options }) => toModels(createGoogle({ apiKey, ...options }))],
  [
    'compatible',
    ({ apiKey, ...options }) =>
      toModels(
        createOpenAICompatible({
          name: 'compatible',
          ...options,
          ...(apiKey === undefined ? {} : { apiKey }),
        }),
      ),
  ],
]);

/** The most of an answer that is read, in bytes: more than a batch of the longest vectors takes. */
const maxAnswerBytes = 32 * 1024 * 1024;

/** The address may be one that a tenant names, and its answers are read as a whole. */
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

function toModels(client: { embeddingModel: (modelId: string) => EmbeddingModel }) {
  return (modelId: string) => client.embeddingModel(modelId);
}

/** Makes the function that embeds texts, with the operator's keys or with those of `connections`. */
export function createEmbedder(config: ModelsConfig, connections?: ModelConnections): EmbedTexts {
  const open = createModelOpener(config, connections);
  return async ({ workspaceId, model, connectionId }, texts, signal) => {
    signal.throwIfAborted();
    const problem = checkEmbeddingModelName(config, model, { hasConnection: connectionId !== null });
    const connect = embeddingProviders.get(parseModelName(model).provider);
    if (problem !== null || !connect) {
      throw new HoldfastError('UNKNOWN_MODEL', problem ?? `${model} makes no embeddings.`);
    }
    const connection = connectionId === null ? {} : { connection: { workspaceId, connectionId } };
    const { modelId, getClient, redact } = await open({ model, ...connection });
    try {
      const { embeddings } = await embedMany({
        model: getClient('embedding', (options) => connect(withCap(options)))(modelId),
        values: texts,
        maxRetries: 0,
        maxParallelCalls: 2,
        abortSignal: signal,
        telemetry: { isEnabled: false },
      });
      return embeddings;
    } catch (error) {
      signal.throwIfAborted();
      throw toModelFailure(error, { model, redact });
    }
  };
}

/** Tells whether embeddings can be made by a model of this name: null, or one sentence that says why not. */
export function checkEmbeddingModelName(
  config: ModelsConfig,
  name: string,
  { hasConnection }: { hasConnection: boolean },
): string | null {
  if (!embeddingProviders.has(parseModelName(name).provider)) {
    const known = [...embeddingProviders.keys()].map((prefix) => `${prefix}/…`).join(', ');
    return `Expected an embedding model named ${known}, found "${name.slice(0, 100)}".`;
  }
  return checkModelName(config, name, { hasConnection });
}
