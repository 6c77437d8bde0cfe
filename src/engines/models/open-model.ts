import { createHash } from 'node:crypto';
import type { LanguageModel } from 'ai';
import { LRUCache } from 'lru-cache';
import type { AuthorizedFetch, ConnectionAccess } from '../../domain/connection.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { ModelCall } from '../../domain/model.ts';
import { type Redact, type Redactor, createRedactor } from '../../domain/redact.ts';
import { joinPieces } from './pieces/join-pieces.ts';
import { checkModelName, parseModelName } from './model-name.ts';
import type { ConnectOptions, HostedVendor, VendorClient } from './model-vendor.ts';
import type { ModelsConfig } from './models-config.ts';
import { hostedVendors } from './vendor-catalogue.ts';

const keyPatterns = [...hostedVendors.values()]
  .flatMap(({ keyPattern }) => keyPattern ?? [])
  .concat(/\bBearer\s+\S{4,}/gi);

/** Shorter keys, such as `ollama` for a server that needs none, are words that an answer may contain. */
const leastKeyLength = 12;

// The AI SDK prints warnings unless this is false; they are about its own mapping, not about the call.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** How models are called whose agent has a connection in place of the operator's key. */
export interface ModelConnections {
  open: ConnectionAccess['openForModel'];
  /** The guarded fetch for addresses that connections name; it must set no limits on streams. */
  fetch: AuthorizedFetch;
}

/** Wraps the fetch by which the model at an address is called. */
export type SealFetch = (request: typeof fetch, baseUrl: string) => typeof fetch;

type Purpose = 'embedding' | 'image';

/** A model that can be called: its vendor, its id there, and a client. */
export interface ModelAccess {
  vendor: HostedVendor;
  modelId: string;
  /** Returns the language model with this key and address, created once. */
  getLanguageModel: () => LanguageModel;
  /** Returns the client for this key and address, created once for each purpose; `adapt` changes how it is created. */
  getClient: (purpose: Purpose, adapt?: (options: ConnectOptions) => ConnectOptions) => VendorClient;
  /** Redacts the keys of the operator and of this call in messages of errors. */
  redact: Redact;
  /** Redacts these keys in answers. */
  answerRedactor: Redactor;
}

type NamedModel = Pick<ModelCall, 'model' | 'connection'>;

/** The most clients that are cached. */
const maxClients = 1_000;

/** The most language models that are cached. Each holds the schemas of its vendor's answers, which take long to create. */
const maxModels = 200;

/** With `redirect: 'manual'` a redirect is an answer like any other, and the key is shown to no other host. */
const fetchWithoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

/**
 * Creates the function that finds the vendor, address and key of a model.
 * It throws HoldfastError `UNKNOWN_MODEL`, `MODEL_AUTHENTICATION`, `SECRETS_UNAVAILABLE` or `CONNECTION_…`.
 */
export function createModelOpener(
  config: ModelsConfig,
  connections?: ModelConnections,
  seal: SealFetch = (request) => request,
) {
  const clients = new LRUCache<string, VendorClient>({ max: maxClients });
  const models = new LRUCache<string, LanguageModel>({ max: maxModels });
  const redactors = new LRUCache<string, Redactor>({ max: maxClients });
  return async (call: NamedModel): Promise<ModelAccess> => {
    const vendor = requireVendor(config, call);
    const opened = await toConnectOptions({ config, connections, vendor }, call);
    const sealed = seal(opened.fetch, opened.baseURL);
    const options = { ...opened, fetch: vendor.pieces ? joinPieces(sealed, vendor.pieces) : sealed };
    const key = toClientKey(call, options);
    const { modelId } = parseModelName(call.model);
    return {
      vendor,
      modelId,
      getLanguageModel: () =>
        getOrCreate(models, `${key} ${modelId}`, () => vendor.connect(options).languageModel(modelId)),
      getClient: (purpose, adapt = (unchanged) => unchanged) =>
        getOrCreate(clients, `${purpose} ${key}`, () => vendor.connect(adapt(options))),
      redact: (text, cut) => createKeyRedactor(config, options.apiKey)(text, cut),
      answerRedactor: getOrCreate(redactors, key, () => createAnswerRedactor(config, options.apiKey)),
    };
  };
}

function getOrCreate<Value extends VendorClient | LanguageModel | Redactor>(
  cache: LRUCache<string, Value>,
  key: string,
  create: () => Value,
): Value {
  const value = cache.get(key) ?? create();
  cache.set(key, value);
  return value;
}

function requireVendor(config: ModelsConfig, { model, connection }: NamedModel): HostedVendor {
  const problem = checkModelName(config, model, { hasConnection: connection !== undefined });
  const vendor = hostedVendors.get(parseModelName(model).vendor);
  if (problem === null && vendor) return vendor;
  throw new HoldfastError('UNKNOWN_MODEL', problem ?? `There is no model "${model}".`);
}

interface OpenOptions {
  config: ModelsConfig;
  connections: ModelConnections | undefined;
  vendor: HostedVendor;
}

function toConnectOptions(options: OpenOptions, call: NamedModel): Promise<ConnectOptions> | ConnectOptions {
  if (call.connection) return openConnection(options, call);
  const { config, vendor } = options;
  const { apiKey, baseUrl } = config[parseModelName(call.model).vendor] ?? {};
  if (vendor.needsApiKey && !apiKey) {
    throw new HoldfastError(
      'MODEL_AUTHENTICATION',
      `${call.model} needs a key: set ${vendor.apiKeyVariable}, or give the agent another model.`,
    );
  }
  return { apiKey, baseURL: baseUrl ?? vendor.publicBaseUrl ?? '', fetch: fetchWithoutRedirects };
}

async function openConnection(
  { config, connections, vendor }: OpenOptions,
  { model, connection }: NamedModel,
): Promise<ConnectOptions> {
  if (!connections || !connection) {
    throw new HoldfastError('SECRETS_UNAVAILABLE', 'This server cannot open the connection of the model.');
  }
  const { vendor: prefix } = parseModelName(model);
  const opened = await connections.open({ ...connection, provider: prefix });
  const baseURL = opened.baseUrl ?? config[prefix]?.baseUrl ?? vendor.publicBaseUrl;
  if (baseURL === null) {
    const message = `The connection of ${model} names no endpoint: set it to the address of the model's server.`;
    throw new HoldfastError('UNKNOWN_MODEL', message);
  }
  const apiKey = opened.apiKey === '' ? undefined : opened.apiKey;
  if (vendor.needsApiKey && apiKey === undefined) {
    throw new HoldfastError('MODEL_AUTHENTICATION', `The connection of ${model} has no key.`);
  }
  // The operator's own address may be in a private network, which the guarded fetch refuses.
  const request = opened.baseUrl === null ? fetchWithoutRedirects : toStandardFetch(connections.fetch);
  return { apiKey, baseURL, fetch: request };
}

function toStandardFetch(guarded: AuthorizedFetch): typeof fetch {
  return (input, init) => guarded(input instanceof Request ? input.url : input, init);
}

/** A changed key or address gives another client. The cache key holds a hash of the key, never the key itself. */
function toClientKey({ model, connection }: NamedModel, { apiKey = '', baseURL }: ConnectOptions): string {
  const { vendor } = parseModelName(model);
  if (!connection) return vendor;
  const hash = createHash('sha256').update(`${apiKey}\n${baseURL}`).digest('hex');
  return [vendor, connection.workspaceId, connection.connectionId, hash].join(' ');
}

function listKeys(config: ModelsConfig, anotherKey: string | undefined): string[] {
  const keys = [...Object.values(config).map((settings) => settings?.apiKey), anotherKey];
  return keys.filter((key) => key !== undefined);
}

/** Creates a function that redacts the operator's keys, `anotherKey`, and every text that looks like a vendor's key. */
function createKeyRedactor(config: ModelsConfig, anotherKey?: string): Redact {
  const { redact } = createRedactor(listKeys(config, anotherKey));
  return (text, options) =>
    keyPatterns.reduce((rest, pattern) => rest.replace(pattern, '[redacted]'), redact(text, options));
}

/**
 * Creates the redactor of answers, since a model's server may repeat the key that it was sent. Texts that only look
 * like a key are kept: an answer may be about keys.
 */
function createAnswerRedactor(config: ModelsConfig, anotherKey?: string): Redactor {
  return createRedactor(listKeys(config, anotherKey).filter(({ length }) => length >= leastKeyLength));
}
