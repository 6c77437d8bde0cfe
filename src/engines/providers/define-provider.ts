import { z } from 'zod';
import type { ConnectionAuthType, rateLimitSchema } from '../../domain/connection.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { KeyPlaces } from '../../domain/key-places.ts';
import type { ProviderCategory } from '../../domain/provider-category.ts';
import type { UrlVariables } from '../../domain/url-variables.ts';
import type { AnswerPath, BodyFormat, Operation, QueryValue, RequestTemplate } from './define-operation.ts';

/** The OAuth endpoints of a provider. Their addresses may have variables. */
export interface ProviderOAuth {
  authorizationUrl: string;
  tokenUrl: string;
  /** Where tokens are refreshed. @default `tokenUrl` */
  refreshUrl?: string;
  /** Where requests go when they have a token of OAuth. @default the base URL of the provider */
  baseUrl?: string;
  /** The header of the access token, alone. @default `Authorization` after `Bearer ` */
  tokenHeader?: string;
  /** The grant of `oauth2_client_credentials` where it has another name, with parameters that may have variables. */
  clientGrant?: { type: string; parameters: Readonly<Record<string, string>> };
  /** The scopes that a connection asks for beside those of its operations. */
  scopes: readonly string[];
  /** @default ' ' */
  scopeSeparator?: ' ' | ',';
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
  /** The secrets of auth of type `keys`: several headers, a query parameter, or a `{name}` in the path of the base URL. */
  keys?: KeyPlaces;
  /** The names of `username` and `password` of type `basic`. */
  basic?: { username: string; password: string };
  /** Needed for `oauth2_authorization_code`. */
  oauth?: ProviderOAuth;
  /** Where a person finds the credentials, in a sentence. */
  hint?: string;
}

/** The request that tests a connection; it changes nothing. */
export interface Verification {
  request: RequestTemplate;
  query?: Readonly<Record<string, QueryValue>>;
  body?: Readonly<JsonObject>;
  /** Statuses of errors that only good credentials get, where the API has no request about the account. */
  accept?: readonly number[];
  /** The parts of the answer that name the account. */
  account?: readonly AnswerPath[];
}

/** The vendor's answer, for the reading of errors. */
export interface VendorAnswer {
  status: number;
  /** Parsed when it is JSON, otherwise its text. */
  body: JsonValue;
}

/** A value of an answer, and the values by which it counts. */
interface AnswerCondition {
  at: AnswerPath;
  /** @default every value but null */
  oneOf?: readonly JsonValue[];
}

/** How errors are read. An answer with a status from 400 is one; `when` and GraphQL find those with a status of success. */
export interface ErrorRules {
  /** Where the message is; the first path that has a text counts. */
  message: readonly AnswerPath[];
  /** More to say after the message: texts, or lists of texts or of objects with `message`, or `field` and `code`. */
  details?: readonly AnswerPath[];
  /** An answer with a status of success is an error, too, when this is so. */
  when?: AnswerCondition;
  /** The answers by which the outcome is unknown; HTTP 408 and 5xx always mean that. */
  uncertain?: AnswerCondition;
}

/** How a vendor says that its rate limit is reached beside HTTP 429, and how long to wait beside `Retry-After`. */
export interface ThrottleRules {
  when?: AnswerCondition;
  /** Where the time is, and what it is. */
  wait?: readonly ({ unit: WaitUnit } & ({ header: string } | { body: AnswerPath }))[];
}

/**
 * How a vendor writes how long to wait: a span, or with `epoch`, `epoch_milliseconds` and `date` (ISO 8601 or that of HTTP)
 * the time at which the limit ends.
 */
export type WaitUnit = 'seconds' | 'milliseconds' | 'epoch' | 'epoch_milliseconds' | 'date';

/** An entry of the catalogue: a vendor's API, and the operations that agents may call. */
export interface Provider {
  /** The `provider` of connections and the prefix of tool names; equal to the name of the file. */
  name: string;
  title: string;
  description: string;
  category: ProviderCategory;
  /** Without a slash at the end. `{name}` is a variable, or a key of `auth.keys` with the place `path`. */
  baseUrl: string;
  /** The parts of the addresses that differ from customer to customer. */
  variables?: UrlVariables;
  /** Headers that the vendor requires in every request. */
  headers?: Readonly<Record<string, string>>;
  /** How bodies are sent. @default 'json' */
  bodyFormat?: BodyFormat;
  /** How lists are written in a query: `a=1&a=2`, `a=1,2` or `a[]=1&a[]=2`. @default 'repeat' */
  listFormat?: 'repeat' | 'comma' | 'brackets';
  auth: ProviderAuth;
  /** The steps of a person at the vendor before connecting, a sentence of Markdown for each. */
  setup: readonly [string, ...string[]];
  /** The date of the documentation that the record follows, when no document of the vendor could check it. */
  unverified?: `${number}-${number}-${number}`;
  verify: Verification;
  /** The vendor's rate limit of all operations without a separate limit, which are counted together. */
  rateLimit?: z.input<typeof rateLimitSchema>;
  throttle?: ThrottleRules;
  errors: ErrorRules;
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

/** The schema of a field that names a stored file; the operation lists the field in `files`. */
export function fileId(description: string) {
  return z.uuid().describe(`${description}: the id of a stored file`);
}
