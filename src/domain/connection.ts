import { z } from 'zod';
import type { Redact } from './redact.ts';
import { jsonObjectSchema } from './json-value.ts';
import { plainName } from './text.ts';

/** Whether a connection can be used: `expired` and `revoked` ones need a person to connect again. */
const connectionStatuses = ['active', 'expired', 'revoked', 'error'] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

const secret = z.string().min(1).max(20_000);
const httpUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' }).max(2000);
const scopes = z.array(z.string().min(1).max(200)).max(100);

/** The fields of OAuth that both grants have; those that are left out are discovered for an MCP server. */
const oauthFields = {
  tokenUrl: httpUrl.optional(),
  issuer: httpUrl
    .optional()
    .describe('The authorization server of the client, whose metadata has its other addresses (RFC 8414)'),
  scopes: scopes.default([]),
  resource: httpUrl
    .nullable()
    .optional()
    .describe(
      'The resource that tokens are requested for (RFC 8707), the endpoint of an MCP server by default. Null sends ' +
        'none, for an authorization server that refuses the parameter',
    ),
};

/** The credentials of a connection, as a caller gives them. Answers show their secrets masked. */
export const connectionAuthSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  /** A key in its own header, such as `X-Api-Key`; `prefix` stands before it, such as `Bot `. */
  z.strictObject({
    type: z.literal('api_key'),
    header: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,100}$/)
      .default('X-Api-Key'),
    prefix: z.string().max(20).default(''),
    key: secret,
  }),
  z.strictObject({ type: z.literal('bearer'), token: secret }),
  z.strictObject({
    type: z.literal('basic'),
    username: z.string().max(500),
    password: z.string().max(20_000),
  }),
  /** The secrets of a provider of the catalogue that has several, or one that is no header, by the names of its record. */
  z.strictObject({
    type: z.literal('keys'),
    values: z
      .record(z.string().regex(/^\w{1,50}$/), secret)
      .describe('The secrets by the names that GET /api/providers/:name lists'),
  }),
  /** RFC 6749, section 4.4; the client has either a secret or a private key (`private_key_jwt`, RFC 7523). */
  z.strictObject({
    type: z.literal('oauth2_client_credentials'),
    ...oauthFields,
    clientId: z.string().min(1).max(500),
    clientSecret: secret.optional(),
    privateKey: secret
      .optional()
      .describe('A private key in PEM that signs the assertions of the client, instead of a secret'),
    keyId: z.string().min(1).max(500).optional().describe('The `kid` of the private key'),
    audience: z.string().max(500).optional(),
  }),
  /**
   * OAuth 2.1 authorization code with PKCE. Fields that are left out are discovered: for an MCP server by RFC 9728 and
   * RFC 8414 with a client registered by RFC 7591, for a provider of the catalogue in its definition.
   */
  z.strictObject({
    type: z.literal('oauth2_authorization_code'),
    ...oauthFields,
    clientId: z.string().min(1).max(500).optional(),
    clientSecret: secret.optional(),
    authorizationUrl: httpUrl.optional(),
    operations: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(300)
      .optional()
      .describe(
        'The operations of the provider that the connection is for: without `scopes`, it asks for the scopes that they ' +
          'need. All operations by default',
      ),
  }),
]);
export type ConnectionAuth = z.infer<typeof connectionAuthSchema>;
export type ConnectionAuthType = ConnectionAuth['type'];

/** The types of auth. */
export const connectionAuthTypeSchema = z.enum([
  'none',
  'api_key',
  'bearer',
  'basic',
  'keys',
  'oauth2_client_credentials',
  'oauth2_authorization_code',
] as const satisfies ConnectionAuthType[]);

/** The rate limit of a connection, counted across all processes. */
export const rateLimitSchema = z.strictObject({
  tokensPerMinute: z.int().min(1).max(1_000_000),
  /** How many tokens one request takes. @default 1 */
  tokensPerRequest: z.int().min(1).max(100_000).default(1),
});
export type RateLimit = z.infer<typeof rateLimitSchema>;

/** The parts of the provider's address that are the customer's own, such as a subdomain. */
const variables = z
  .record(z.string().regex(/^\w{1,50}$/), z.string().min(1).max(253))
  .describe('The variables of the base URL that GET /api/providers/:name lists, such as a subdomain');

/** Rules name a tool as `name:tool`, and people read the name on the page of the consent. */
const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(plainName, 'expected one line without ":" and without invisible characters');
const provider = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,99}$/, 'expected lower-case letters, digits, "-" and "_"');

/**
 * A connection as a caller gives it. `provider` is a name of the provider catalogue, `mcp` for any MCP server at
 * `endpoint`, or a vendor of models (`openai`, `anthropic`, `google`, `compatible`).
 */
export const connectionInputSchema = z.strictObject({
  name,
  provider,
  endpoint: httpUrl.optional(),
  variables: variables.optional(),
  auth: connectionAuthSchema.default({ type: 'none' }),
  rateLimit: rateLimitSchema.optional(),
});
export type ConnectionInput = z.infer<typeof connectionInputSchema>;

/** A change of a connection; new `auth` replaces the whole of the old and makes it `active` again. */
export const connectionChangeSchema = z.strictObject({
  name: name.optional(),
  endpoint: httpUrl.optional(),
  variables: variables.optional(),
  auth: connectionAuthSchema.optional(),
  rateLimit: rateLimitSchema.nullable().optional(),
  /** `revoked` disables it and deletes its credentials. */
  status: z.literal('revoked').optional(),
});
export type ConnectionChange = z.infer<typeof connectionChangeSchema>;

/** A connection as the API shows it, its credentials masked, such as `sk-…last4`. */
export const connectionSchema = z.object({
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  endpoint: z.string().nullable(),
  variables: z.record(z.string(), z.string()),
  /** The type of auth with its fields; secrets are masked. */
  auth: jsonObjectSchema,
  status: z.enum(connectionStatuses),
  /** The reason why the connection is not active; null when it is active. */
  statusReason: z.string().nullable(),
  rateLimit: rateLimitSchema.nullable(),
  /** The id of the API key that created the connection. */
  ownerId: z.string().nullable(),
  /** The time when the access token expires; null when it is not known. */
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Connection = z.infer<typeof connectionSchema>;

/** A `fetch` that adds the credentials of the connection to requests to its own origin, and to no others. */
export type AuthorizedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A connection that is open for use. Only `fetch` has its credentials, and sends them to its own origin only. */
export interface OpenConnection {
  connection: Connection;
  workspaceId: string;
  /**
   * Where requests go, without a slash at the end: `endpoint`, else the provider's base URL with the variables of the
   * connection; null when neither is known. A secret in the path is still its name in braces: `fetch` fills it in.
   */
  baseUrl: string | null;
  /** The scopes that were granted; null when they are not known. */
  scopes: readonly string[] | null;
  /** Follows no redirect. Refreshes the token before it expires, and once after a 401. */
  fetch: AuthorizedFetch;
  /** Replaces the secrets of this connection in a text. */
  redact: Redact;
}

/** The connection to open. */
export interface ConnectionRequest {
  workspaceId: string;
  connectionId: string;
  /** The provider that a stored tool expects. */
  provider?: string;
}

/** A connection whose fields a request may carry to the origin of the connection. */
export interface OpenSecret extends Pick<OpenConnection, 'fetch' | 'redact'> {
  type: ConnectionAuthType;
  /** The only origin that may get the fields; null for none. */
  origin: string | null;
  /** `username` and `password`, `token`, `key`, or the names of `keys`, by the type. */
  fields: Record<string, string>;
  /** Where the connection itself puts its secrets: names of headers, in lower case, and of query parameters. */
  places: { headers: string[]; query: string[] };
  /** The fields that are no secrets, such as a user name beside its password. */
  plainFields: string[];
}

/** Opens stored connections for use. */
export interface ConnectionAccess {
  /**
   * Opens a connection for use and notes when it was used.
   * @throws HoldfastError `CONNECTION_ACCESS_DENIED`, `CONNECTION_NOT_ACTIVE`, `CONNECTION_PROVIDER_MISMATCH`
   * with messages that front ends compare, `SECRETS_UNAVAILABLE`
   */
  open: (request: ConnectionRequest) => Promise<OpenConnection>;
  /** Returns the key of a connection to a model vendor, for the client of the vendor. @throws as `open` */
  openForModel: (request: ConnectionRequest) => Promise<{ apiKey: string; baseUrl: string | null }>;
  /** Opens the connection of a name with its fields, for the one request that has them. @throws as `open` */
  openSecret: (request: { workspaceId: string; name: string }) => Promise<OpenSecret>;
}
