import { defineModule } from '../../platform/module/define-module.ts';
import { resourceRoutes } from './resource-routes.ts';
import { makerSchema, resourceSchema, resourceVersionSchema } from '../../domain/resource.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'resource.created': true;
    'resource.updated': true;
    'resource.deleted': true;
    'resource.restored': true;
  }
}

/** The module of resources. */
export const resources = defineModule({
  name: 'resources',
  routes: [...resourceRoutes],
  schemas: {
    Maker: makerSchema,
    Resource: resourceSchema,
    ResourceVersion: resourceVersionSchema,
  },
  tables: [{ name: 'resources', most: 200 }],
});
