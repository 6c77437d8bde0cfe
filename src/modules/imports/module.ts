import { defineModule } from '../../platform/module/define-module.ts';
import { createImportThreads } from './import-threads.ts';
import { providerRoutes } from './provider-routes.ts';
import { providerImportRoutes } from './provider-import-routes.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'provider.imported': true;
    'provider.deleted': true;
  }
}

/** The module of imports. */
export const imports = defineModule({
  name: 'imports',
  routes: [...providerRoutes, ...providerImportRoutes],
  tables: [{ name: 'imported_providers', most: 10 }],
  api: () => ({ runImportTask: createImportThreads() }),
});
