import { defineModule } from '../../platform/module/define-module.ts';
import { connectionRoutes } from './connection-routes.ts';
import { connectorRoutes } from './connectors/connector-routes.ts';
import { connectionToolRoutes } from './connection-tool-routes.ts';
import { addOAuthCallback } from './oauth/oauth-callback-routes.ts';
import { addClientMetadata } from './oauth/client-metadata-routes.ts';
import { connectionAuthTypeSchema, connectionSchema } from '../../domain/connection.ts';
import { connectorSchema } from '../../domain/connector.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'connection.created': true;
    'connection.updated': true;
    'connection.authorized': true;
    'connection.expired': true;
    'connection.revoked': true;
    'connection.deleted': true;
    'connector.created': true;
    'connector.deleted': true;
    'keys.rotated': true;
  }
}

/** The module of connections. */
export const connections = defineModule({
  name: 'connections',
  routes: [...connectionRoutes, ...connectorRoutes, ...connectionToolRoutes],
  doors: [addOAuthCallback, addClientMetadata],
  schemas: {
    Connection: connectionSchema,
    ConnectionAuthType: connectionAuthTypeSchema,
    Connector: connectorSchema,
  },
  tables: [
    { name: 'connectors', most: 10 },
    { name: 'connections', most: 50 },
  ],
});
