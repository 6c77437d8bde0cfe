import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Redact } from '../domain/redact.ts';
import type { AuthorizedFetch, ConnectionAccess } from '../domain/connection.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { ModelCall } from '../domain/model.ts';
import { checkModelName, findProvider, parseModelName } from './model-name.ts';
import type { ConnectOptions, ModelProvider } from './model-providers.ts';
import type { ModelsConfig } from './models-config.ts';
import { createKeyRedactor } from './redact-keys.ts';

// The AI SDK prints warnings by itself unless told not to; they are about its own mapping, not about the call.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** What models are called with that have a connection in place of the operator's key. */
export interface ModelConnections {
  open: ConnectionAccess['openForModel'];
  /** For the addresses that connections name: guarded, and without a cap or a limit of its own on streams. */
  fetch: AuthorizedFetch;
}

/** Where a call goes and with what. */
export interface ModelAccess {
  provider: ModelProvider;
  modelId: string;
  /** The client of the provider, made once for one key and address; `kind` tells clients of one provider apart. */
  getClient: <Client extends object>(kind: string, connect: (options: ConnectOptions) => Client) => Client;
  /** Takes the keys of the operator and of this call out of a text. */
  redact: Redact;
}

/** Clients that are kept; each is a few functions. */
const maxClients = 1_000;

/** What follows a redirect shows its key to another host, so a redirect is an answer like any other. */
const fetchWithoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

/**
 * Makes the function that finds out where a call goes.
 * It throws HoldfastError `UNKNOWN_MODEL`, `MODEL_AUTHENTICATION`, `CONNECTION_…`
 */
export function createModelOpener(config: ModelsConfig, connections?: ModelConnections) {
  const clients = new LRUCache<string, object>({ max: maxClients });
  return async (call: Pick<ModelCall, 'model' | 'connection'>): Promise<ModelAccess> => {
    const { provider: prefix, modelId } = parseModelName(call.model);
    const provider = requireProvider(config, call);
    const options = await toConnectOptions({ config, connections, provider }, call);
    const key = toClientKey(prefix, call, options);
    return {
      provider,
      modelId,
      getClient: (kind, connect) => {
        const known = clients.get(`${kind} ${key}`) as ReturnType<typeof connect> | undefined;
        const client = known ?? connect(options);
        clients.set(`${kind} ${key}`, client);
        return client;
      },
      redact: createKeyRedactor(config, options.apiKey),
    };
  };
}

function requireProvider(
  config: ModelsConfig,
  { model, connection }: Pick<ModelCall, 'model' | 'connection'>,
) {
  const problem = checkModelName(config, model, { hasConnection: connection !== undefined });
  const provider = findProvider(parseModelName(model).provider);
  if (problem === null && provider) return provider;
  throw new HoldfastError('UNKNOWN_MODEL', problem ?? `There is no model "${model}".`);
}

interface Surroundings {
  config: ModelsConfig;
  connections: ModelConnections | undefined;
  provider: ModelProvider;
}

function toConnectOptions(
  { config, connections, provider }: Surroundings,
  call: Pick<ModelCall, 'model' | 'connection'>,
): Promise<ConnectOptions> | ConnectOptions {
  const baseURL = provider.baseUrl(config);
  if (call.connection) return openConnection({ connections, provider, baseURL }, call);
  const apiKey = provider.apiKey(config);
  if (provider.needsApiKey && !apiKey) {
    throw new HoldfastError(
      'MODEL_AUTHENTICATION',
      `${call.model} needs a key: set ${provider.apiKeyVariable}, or give the agent another model.`,
    );
  }
  return { apiKey, baseURL: baseURL ?? '', fetch: fetchWithoutRedirects };
}

async function openConnection(
  {
    connections,
    provider,
    baseURL,
  }: Pick<Surroundings, 'connections' | 'provider'> & { baseURL: string | undefined },
  { model, connection }: Pick<ModelCall, 'model' | 'connection'>,
): Promise<ConnectOptions> {
  if (!connections || !connection) {
    throw new HoldfastError('SECRETS_UNAVAILABLE', 'This server cannot open the connection of the model.');
  }
  const opened = await connections.open({ ...connection, provider: parseModelName(model).provider });
  const address = opened.baseUrl ?? baseURL;
  if (address === undefined) {
    const message = `The connection of ${model} names no endpoint: set it to the address of the model's server.`;
    throw new HoldfastError('UNKNOWN_MODEL', message);
  }
  const apiKey = opened.apiKey === '' ? undefined : opened.apiKey;
  if (provider.needsApiKey && apiKey === undefined) {
    throw new HoldfastError('MODEL_AUTHENTICATION', `The connection of ${model} has no key.`);
  }
  // The operator's own address may be one that tenants must not reach.
  const request = opened.baseUrl === null ? fetchWithoutRedirects : toStandardFetch(connections.fetch);
  return { apiKey, baseURL: address, fetch: request };
}

function toStandardFetch(guarded: AuthorizedFetch): typeof fetch {
  return (input, init) => guarded(input instanceof Request ? input.url : input, init);
}

/** A changed key or address makes another client; the key itself is kept nowhere but in its client. */
function toClientKey(prefix: string, { connection }: Pick<ModelCall, 'connection'>, options: ConnectOptions) {
  if (!connection) return prefix;
  const hash = createHash('sha256')
    .update(`${options.apiKey ?? ''}\n${options.baseURL}`)
    .digest('hex');
  return [prefix, connection.workspaceId, connection.connectionId, hash].join(' ');
}
