import type { z } from 'zod';
import type { ConnectionAuthType, rateLimitSchema } from '../domain/connection.ts';
import type { JsonValue } from '../domain/json.ts';
import type { ProviderCategory } from '../domain/provider-category.ts';
import type { ToolEffect } from '../domain/tool.ts';

/** The method of an operation. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A method and a path beneath the base URL. `{name}` is filled in from the input as one segment of the path,
 * `{+name}` as several with the slashes between them.
 */
export type RequestTemplate = `${HttpMethod} /${string}`;

/** A value of a query parameter; each value of a list gets its own `name=value`. */
export type QueryValue = string | number | boolean | readonly (string | number | boolean)[] | undefined;

/** The parts of a request, relative to the base URL of a connection. */
export interface RequestParts {
  method: HttpMethod;
  /** Begins with a slash; use `fillPath` to encode values of the input. */
  path: string;
  query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON or as a form, by the `bodyFormat` of the provider. */
  body?: Readonly<Record<string, JsonValue | undefined>>;
}

/** One result of a web search. */
export interface WebSearchResult {
  title: string;
  url: string;
  snippet: string;
}

/**
 * One operation of a provider's API. By convention the input goes into the path first; the rest goes into the query
 * for GET and DELETE, and into the body for other methods.
 */
export interface Operation<Input extends z.ZodObject = z.ZodObject> {
  description: string;
  /** The schema of the arguments, a strict object. */
  input: Input;
  /** A template, or a function when the convention does not fit. */
  request: RequestTemplate | RequestBuilder<Input>;
  effect: ToolEffect;
  /**
   * Whether a call can delete something. A tool that is added for the operation then gets `approval: 'ask'`.
   * @default true for a `DELETE` template, otherwise false
   */
  destructive?: boolean;
  /** The header in which the vendor accepts an idempotency key; the effect is then `keyed`. */
  idempotencyHeader?: string;
  /** The fields that go into the query; all others go into the body, for every method. */
  query?: readonly string[];
  /** The vendor's rate limit of this operation, counted apart from the others. */
  rateLimit?: z.input<typeof rateLimitSchema>;
  /** Maps the vendor's answer to a form that is easier for a model. */
  mapAnswer?: (answer: JsonValue) => JsonValue;
  /**
   * The purpose that Holdfast itself uses the operation for. One with `role: 'web_search'` takes the input
   * `{ query: string, count?: number }` and has `toResults`; `ExecutionRouter.searchWeb` runs it.
   */
  role?: 'web_search';
  /** Maps the vendor's answer to results; for `role: 'web_search'`. */
  toResults?: (answer: JsonValue) => WebSearchResult[];
}

/** Declared as a method, so that operations of all inputs fit into one record. */
type RequestBuilder<Input extends z.ZodObject> = {
  build(input: z.output<Input>): RequestParts;
}['build'];

/** The OAuth endpoints of a provider. */
export interface ProviderOAuth {
  authorizationUrl: string;
  tokenUrl: string;
  /** The scopes of a connection that names none. */
  scopes: readonly string[];
  /** More parameters of the authorization request, such as the one that asks for a refresh token. */
  parameters?: Readonly<Record<string, string>>;
  /** How a client sends its secret to the token endpoint. @default 'basic' */
  clientAuthentication?: 'basic' | 'post';
}

/** How connections to a provider authenticate. */
export interface ProviderAuth {
  /** The recommended one first. */
  types: readonly [ConnectionAuthType, ...ConnectionAuthType[]];
  /** The header of an `api_key`, and the text before the key. */
  apiKey?: { header: string; prefix?: string };
  /** Needed for `oauth2_authorization_code`. */
  oauth?: ProviderOAuth;
  /** Where a person finds the credentials, in a sentence. */
  hint?: string;
}

/** The request that tests a connection; it changes nothing. */
export interface Verification {
  request: RequestTemplate;
  query?: Readonly<Record<string, QueryValue>>;
  /** Returns the account in the vendor's answer, in a few words. */
  describe?: (answer: JsonValue) => string | undefined;
}

/** The vendor's answer, for `readError`. */
export interface VendorAnswer {
  status: number;
  /** Parsed when it is JSON, otherwise its text. */
  body: JsonValue;
}

/** An entry of the catalogue: a vendor's API, and the operations that agents may call. */
export interface Provider {
  /** The `provider` of connections and the prefix of tool names; equal to the name of the file. */
  name: string;
  title: string;
  description: string;
  category: ProviderCategory;
  /** Without a slash at the end. */
  baseUrl: string;
  /** Headers that the vendor requires in every request. */
  headers?: Readonly<Record<string, string>>;
  /** How bodies are sent. @default 'json' */
  bodyFormat?: 'json' | 'form';
  auth: ProviderAuth;
  verify: Verification;
  /** The vendor's rate limit of all operations together that have none of their own. */
  rateLimit?: z.input<typeof rateLimitSchema>;
  /** Returns the vendor's error message; null when the answer is no error or has no message. */
  readError: (answer: VendorAnswer) => string | null;
  /** Tells whether the outcome is unknown by this answer; HTTP 408 and 5xx always mean that. */
  isUncertain?: (answer: VendorAnswer) => boolean;
  operations: Readonly<Record<string, Operation>>;
}

type OperationInputs = Record<string, z.ZodObject>;

/** A provider whose operations know the types of their inputs. */
export type ProviderDefinition<Inputs extends OperationInputs> = Omit<Provider, 'operations'> & {
  operations: { [Name in keyof Inputs]: Operation<Inputs[Name]> };
};

/** Defines a provider; tools, requests and the entries of the API are derived from the record. */
export function defineProvider<Inputs extends OperationInputs>(
  definition: ProviderDefinition<Inputs>,
): Provider {
  return definition;
}
