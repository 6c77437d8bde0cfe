import type { EmbeddingModel, ImageModel, LanguageModel, streamText } from 'ai';
import type { JsonObject } from '../../domain/json.ts';
import type { CallLanguageModel } from '../../domain/model.ts';
import type { FileSupport } from './file-support.ts';
import type { PieceFormat } from './pieces/piece-format.ts';
import type { ToolRules } from './schemas/tool-rules.ts';

/** Options of the AI SDK, by the names of vendors. */
export type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>;

/** How to reach a vendor's API. */
export interface ConnectOptions {
  apiKey: string | undefined;
  baseURL: string;
  /** Follows no redirect: a redirect would carry the key to another host. */
  fetch: typeof fetch;
}

/** A client of the AI SDK for one vendor, key and address. */
export interface VendorClient {
  languageModel: (modelId: string) => LanguageModel;
  embeddingModel: (modelId: string) => EmbeddingModel;
  imageModel: (modelId: string) => ImageModel;
}

/** An answer that has to satisfy a schema. */
export interface WantedAnswer {
  /** A JSON Schema whose root describes an object. */
  schema: JsonObject;
  modelId: string;
  /** Whether the request declares tools, and the model may call them in place of an answer. */
  tools: 'none' | 'forbidden' | 'allowed' | 'required';
}

/**
 * A vendor whose models are reached over HTTP, or a protocol that many vendors speak. Its models are named
 * `<prefix>/<model id>`.
 */
export interface HostedVendor {
  kind: 'hosted';
  /** The environment variable with the operator's key. */
  apiKeyVariable: string;
  needsApiKey: boolean;
  /** The environment variable with another address than the public one; missing when there is none. */
  baseUrlVariable?: string;
  /** Null for a protocol: the operator or a connection then names the address of the server. */
  publicBaseUrl: string | null;
  /** Matches a key, also one that a message shows shortened with asterisks; matching texts are redacted. */
  keyPattern?: RegExp;
  /** The headers that carry a key when it is tested; the key is empty when a connection has none. */
  toKeyHeaders: (apiKey: string) => Record<string, string>;
  /** Creates a client. Key and address are always given: without them the AI SDK reads the environment itself. */
  connect: (options: ConnectOptions) => VendorClient;
  /** How the vendor's streams bring text; missing where the AI SDK reads each event of a stream. */
  pieces?: PieceFormat;
  makesEmbeddings: boolean;
  makesImages: boolean;
  /** Whether the vendor accepts an `Idempotency-Key` header. */
  takesIdempotencyKey: boolean;
  /**
   * True declares the tools of a call also when the model may not call them, with `toolChoice: 'none'`: they are the
   * beginning of what the vendor caches. False leaves the tools out, since some servers of the protocol ignore the tool
   * choice.
   */
  declaresWithheldTools: boolean;
  /** Set where messages of the user that follow one another are sent as one, since chat templates of models refuse them. */
  alternatesRoles?: boolean;
  /** Returns the form of ids of tool calls that a model takes; missing where all models take the common one. */
  toCallIds?: (modelId: string) => RegExp;
  /** Set for a vendor that refuses a conversation which has tool calls and declares no tools. */
  declaresFormerTools?: boolean;
  /**
   * Returns the option that marks the end of a part of a request that the vendor caches, for five minutes or an hour; missing
   * where the vendor caches without marks.
   */
  toCacheMark?: (isForHour: boolean) => ProviderOptions[string];
  /** Returns true for a model that reasons only when the tool calls before begin with its reasoning; missing for none. */
  beginsWithReasoning?: (modelId: string) => boolean;
  /** Returns true for a model that writes its reasoning into its text, in tags; missing for none. */
  writesReasoning?: (modelId: string) => boolean;
  /** Returns the options by which requests of one conversation find the same cache; missing where there are none. */
  toCacheOptions?: (conversation: string) => ProviderOptions[string];
  /** The name of the vendor's options in the AI SDK. */
  optionsName: string;
  files: FileSupport;
  /** The form that tools have to have. */
  tools: ToolRules;
  /** Options that every call of a language model is sent with. */
  fixedOptions?: ProviderOptions[string];
  /**
   * Returns the options with which the vendor holds answers to a schema; null when it does not, or not for this schema or
   * beside these tools.
   */
  toSchemaOptions: (wanted: WantedAnswer) => ProviderOptions[string] | null;
  /** Returns the options that allow or forbid several tool calls in one answer; missing where the vendor has none. */
  toParallelOptions?: (allowed: boolean) => ProviderOptions[string];
}

/** A vendor whose only model runs in this process; the name of the model is the prefix alone. */
export interface LocalVendor {
  kind: 'local';
  callModel: CallLanguageModel;
}

/** Everything that differs between one vendor of models and another. */
export type ModelVendor = HostedVendor | LocalVendor;

/** The headers of a key that is sent as a bearer token; none for an empty key. */
export function toBearerHeaders(apiKey: string): Record<string, string> {
  return apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
}
