import type { z } from 'zod';
import type { ConnectionAuthType, rateLimitSchema } from '../domain/connection.ts';
import type { JsonValue } from '../domain/json.ts';
import type { ToolEffect } from '../domain/tool.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A method and a path beneath the base URL. `{name}` is filled in from the input as one segment of the path,
 * `{+name}` as several with the slashes between them.
 */
export type RequestTemplate = `${HttpMethod} /${string}`;

/** What may stand in a query; the values of a list each get their own `name=value`. */
export type QueryValue = string | number | boolean | readonly (string | number | boolean)[] | undefined;

/** A request as its parts, relative to the base URL of a connection. */
export interface RequestParts {
  method: HttpMethod;
  /** Begins with a slash; `fillPath` fills in and encodes what comes from outside. */
  path: string;
  query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON or as a form, as its provider takes it. */
  body?: Readonly<Record<string, JsonValue | undefined>>;
}

/** One hit of a search of the web. */
export interface WebSearchResult {
  title: string;
  url: string;
  snippet: string;
}

/**
 * A thing that a provider can do. Where its input goes is decided by convention: first into the path, then for GET
 * and DELETE into the query and for the others into the body.
 */
export interface Operation<Input extends z.ZodObject = z.ZodObject> {
  description: string;
  /** A strict object: what the model may say. */
  input: Input;
  /** A function where the convention does not fit. */
  request: RequestTemplate | RequestBuilder<Input>;
  effect: ToolEffect;
  /** The header in which the vendor takes a key of ours; the effect is then `keyed`. */
  idempotencyHeader?: string;
  /** These fields go into the query and all others into the body, whatever the method is. */
  query?: readonly string[];
  /** What the vendor allows of this one operation, counted apart from the others. */
  rateLimit?: z.input<typeof rateLimitSchema>;
  /** Puts the vendor's answer into a form that a model can read better. */
  mapAnswer?: (answer: JsonValue) => JsonValue;
  /**
   * What the program itself uses the operation for. One with `role: 'web_search'` takes the input
   * `{ query: string, count?: number }` and has `toResults`; `ExecutionRouter.searchWeb` runs it.
   */
  role?: 'web_search';
  /** Makes hits of the vendor's answer; for `role: 'web_search'`. */
  toResults?: (answer: JsonValue) => WebSearchResult[];
}

/** Declared as a method, so that operations of all inputs fit into one record. */
type RequestBuilder<Input extends z.ZodObject> = {
  build(input: z.output<Input>): RequestParts;
}['build'];

/** Where a person gives consent, and where the code is changed for tokens. */
export interface ProviderOAuth {
  authorizationUrl: string;
  tokenUrl: string;
  /** Asked for when a connection names none. */
  scopes: readonly string[];
  /** More parameters of the authorization request, such as those that make a vendor give a refresh token. */
  parameters?: Readonly<Record<string, string>>;
  /** How a client with a secret shows it to the token endpoint. @default 'basic' */
  clientAuthentication?: 'basic' | 'post';
}

/** How connections to a provider may prove who they are. */
export interface ProviderAuth {
  /** The recommended one first. */
  types: readonly [ConnectionAuthType, ...ConnectionAuthType[]];
  /** The header of an `api_key`, and what stands before the key. */
  apiKey?: { header: string; prefix?: string };
  /** Needed for `oauth2_authorization_code`. */
  oauth?: ProviderOAuth;
  /** Where a person finds the credentials, in a sentence. */
  hint?: string;
}

/** The request that shows whether a connection works; it changes nothing. */
export interface Verification {
  request: RequestTemplate;
  query?: Readonly<Record<string, QueryValue>>;
  /** Who the vendor says we are, in a few words. */
  describe?: (answer: JsonValue) => string | undefined;
}

/** What an answer was, for `readError`. */
export interface VendorAnswer {
  status: number;
  /** Parsed when it is JSON, otherwise its text. */
  body: JsonValue;
}

/** An entry of the catalogue: a vendor's API and what of it agents may do. */
export interface Provider {
  /** As in the `provider` of a connection and before the names of its tools; the same as the name of its file. */
  name: string;
  title: string;
  description: string;
  category: ProviderCategory;
  /** Without a slash at the end. */
  baseUrl: string;
  /** Headers that the vendor demands. */
  headers?: Readonly<Record<string, string>>;
  /** How bodies are sent. @default 'json' */
  bodyFormat?: 'json' | 'form';
  auth: ProviderAuth;
  verify: Verification;
  /** What the vendor allows of all operations together that have no limit of their own. */
  rateLimit?: z.input<typeof rateLimitSchema>;
  /** The vendor's own words for what went wrong; null when the answer is no error or has none. */
  readError: (answer: VendorAnswer) => string | null;
  /** Whether an answer says that the vendor does not know what it has done; HTTP 408 and 5xx always do. */
  isUncertain?: (answer: VendorAnswer) => boolean;
  operations: Readonly<Record<string, Operation>>;
}

/** What the catalogue is sorted by. */
export const providerCategories = [
  'calendar',
  'communication',
  'development',
  'documents',
  'infrastructure',
  'marketing',
  'payments',
  'productivity',
  'search',
  'storage',
  'support',
] as const;
export type ProviderCategory = (typeof providerCategories)[number];

type OperationInputs = Record<string, z.ZodObject>;

/** A provider whose operations know the types of their inputs. */
export type ProviderDefinition<Inputs extends OperationInputs> = Omit<Provider, 'operations'> & {
  operations: { [Name in keyof Inputs]: Operation<Inputs[Name]> };
};

/** Defines a provider: a record, from which tools, requests and the front end's dialog are made. */
export function defineProvider<Inputs extends OperationInputs>(
  definition: ProviderDefinition<Inputs>,
): Provider {
  return definition;
}
