import type { createAuditLog } from '../../platform/outbox/audit-log.ts';
import type { AuthorizationRequestRepository } from './oauth/authorization-request-repository.ts';
import type { ConnectionRepository } from './connection-repository.ts';
import type { RefreshLeases } from './oauth/refresh-leases.ts';
import type { KeyPlaces } from '../../domain/key-places.ts';
import type { NeededScope } from '../../domain/scopes.ts';
import type { UrlVariables } from '../../domain/url-variables.ts';
import type { GuardedFetch } from '../../platform/egress/guarded-fetch.ts';
import type { KeyRing } from '../../platform/secrets/key-ring.ts';

/** The repositories of connections, inside one transaction of a workspace. */
export interface ConnectionRepositories {
  connections: ConnectionRepository;
  leases: RefreshLeases;
  requests: AuthorizationRequestRepository;
  audit: Pick<ReturnType<typeof createAuditLog>, 'record'>;
  /** Notifies the webhooks of the workspace that a person has to authorize a connection again. */
  notifyOfExpiry: (connectionId: string) => Promise<void>;
}

/** The OAuth endpoints and settings in the definition of a provider. */
interface ProviderOAuthFacts {
  authorizationUrl: string;
  tokenUrl: string;
  /** Where tokens are refreshed. @default `tokenUrl` */
  refreshUrl?: string;
  baseUrl?: string;
  /** The header of the access token, alone. @default `Authorization` after `Bearer ` */
  tokenHeader?: string;
  /** The grant of client credentials where it has another name. */
  clientGrant?: { type: string; parameters: Readonly<Record<string, string>> };
  /** The scopes that are requested beside those of the operations when a connection names none. */
  scopes: readonly string[];
  /** Additional parameters of the authorization request. */
  parameters?: Readonly<Record<string, string>>;
  /** How a client sends its secret to the token endpoint. @default 'basic' */
  clientAuthentication?: 'basic' | 'post';
  scopeSeparator?: ' ' | ',';
}

/** The fields of a provider of the catalogue that connections use. */
export interface ProviderFacts {
  baseUrl: string;
  variables?: UrlVariables;
  auth: { oauth?: ProviderOAuthFacts; keys?: KeyPlaces };
  operations?: Readonly<Record<string, { scopes?: readonly NeededScope[]; baseUrl?: string }>>;
}

/**
 * Dependencies of stored connections: their repositories, the keys that seal them, the providers and guarded fetches.
 */
export interface ConnectionParts {
  inWorkspace: <Result>(
    workspaceId: string,
    run: (repositories: ConnectionRepositories) => Promise<Result>,
  ) => Promise<Result>;
  /** Finds a pending authorization in any workspace. */
  findAuthorizationRequest: AuthorizationRequestRepository['find'];
  /** Keeps the parts open until the work has ended, also when the program stops meanwhile. */
  track: <Result>(work: Promise<Result>) => Promise<Result>;
  /** Finds a pending authorization in any workspace and deletes it, so that it is used once. */
  takeAuthorizationRequest: AuthorizationRequestRepository['take'];
  keyRing: KeyRing;
  maskSecret: (secret: string) => string;
  /** Finds a provider of the catalogue. */
  findProvider: (name: string) => Promise<ProviderFacts | undefined>;
  /** Finds a provider that a workspace has imported. @default none */
  findImported?: (ref: { workspaceId: string; name: string }) => Promise<ProviderFacts | undefined>;
  fetches: {
    /** For requests with a complete response, whose size is limited. */
    whole: GuardedFetch;
    /** For MCP servers, whose streams may never end; the MCP client limits them. */
    streams: GuardedFetch;
    /** For authorization servers. */
    oauth: GuardedFetch;
  };
}
