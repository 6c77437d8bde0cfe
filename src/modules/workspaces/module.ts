import type { Database } from '../../platform/database/connect-database.ts';
import { authenticateBearer } from './login/authenticate-bearer.ts';
import { createLogin } from './login/login.ts';
import { authenticateSession } from './login/sessions.ts';
import { createPersonAuthenticator } from './people/authenticate-person.ts';
import type { IdentityProvider } from './people/identity-provider.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import { apiKeyRoutes } from './keys/api-key-routes.ts';
import { sessionRoutes } from './login/session-routes.ts';
import { userTokenRoutes } from './people/user-token-routes.ts';
import { peopleRoutes } from './people/people-routes.ts';
import { workspaceRoutes } from './settings/workspace-routes.ts';
import { addLoginPages } from './login/login-routes.ts';
import { apiKeySchema } from '../../domain/api-key.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'workspace.deleted': true;
    'api_key.created': true;
    'api_key.revoked': true;
    'user_token.issued': true;
    'user_token.ended': true;
    'session.opened': true;
    'session.ended': true;
    'person.activated': true;
    'person.deactivated': true;
  }
}

/** The parts of the API that the module uses. */
export interface ApiParts {
  database: Database;
  config: {
    identityProviders: IdentityProvider[];
    apiKeysPerWorkspace: number;
    retentionDays?: number | undefined;
  };
}

/** The module of workspaces. */
export const workspaces = defineModule({
  name: 'workspaces',
  routes: [...apiKeyRoutes, ...sessionRoutes, ...userTokenRoutes, ...peopleRoutes, ...workspaceRoutes],
  doors: [addLoginPages],
  schemas: {
    ApiKey: apiKeySchema,
  },
  tables: [
    { name: 'sessions', most: 500 },
    { name: 'api_keys', most: 500 },
  ],
  api: ({ database, config: { identityProviders, apiKeysPerWorkspace, retentionDays } }: ApiParts) => {
    const authenticatePerson =
      identityProviders.length > 0 ? createPersonAuthenticator({ database }, identityProviders) : undefined;
    return {
      apiKeysPerWorkspace,
      retentionDays,
      authenticateBearer: (text: string) => authenticateBearer({ database, authenticatePerson }, text),
      authenticateSession: (secret: string) => authenticateSession({ database }, secret),
      ...(authenticatePerson && { login: createLogin(identityProviders, authenticatePerson) }),
    };
  },
});
