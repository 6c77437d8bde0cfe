import type { createAuditLog } from '../db/audit/audit-log.ts';
import type { AuthorizationRequestRepository } from '../db/connections/authorization-request-repository.ts';
import type { ConnectionRepository } from '../db/connections/connection-repository.ts';
import type { GuardedFetch } from '../egress/guarded-fetch.ts';
import type { KeyRing } from '../secrets/key-ring.ts';

/** What the rows of connections are reached with, inside one transaction of a workspace. */
export interface ConnectionRepositories {
  connections: ConnectionRepository;
  requests: AuthorizationRequestRepository;
  audit: Pick<ReturnType<typeof createAuditLog>, 'record'>;
}

/** An OAuth client's endpoints and habits, as the definition of a provider has them. */
export interface ProviderOAuthFacts {
  authorizationUrl: string;
  tokenUrl: string;
  /** Asked for when a connection names none. */
  scopes: readonly string[];
  /** More parameters of the authorization request. */
  parameters?: Readonly<Record<string, string>>;
  /** How a client with a secret shows it to the token endpoint. @default 'basic' */
  clientAuthentication?: 'basic' | 'post';
}

/** What is needed of a provider of the catalogue. */
export interface ProviderFacts {
  baseUrl: string;
  auth: { oauth?: ProviderOAuthFacts };
}

/** Everything that connections need from the rest of the program. */
export interface ConnectionParts {
  inWorkspace: <Result>(
    workspaceId: string,
    run: (repositories: ConnectionRepositories) => Promise<Result>,
  ) => Promise<Result>;
  /** Finds an authorization under way in any workspace, and takes it away: it is used once. */
  takeAuthorizationRequest: AuthorizationRequestRepository['take'];
  keyRing: KeyRing;
  maskSecret: (secret: string) => string;
  findProvider: (name: string) => ProviderFacts | undefined;
  fetches: {
    /** For whole answers, which are capped. */
    whole: GuardedFetch;
    /** For MCP servers, whose streams have no end of their own; who reads them bounds them. */
    streams: GuardedFetch;
    /** For authorization servers. */
    oauth: GuardedFetch;
  };
}
