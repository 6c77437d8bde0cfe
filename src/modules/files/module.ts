import { defineModule } from '../../platform/module/define-module.ts';
import { resultFileRoutes } from './result-file-routes.ts';
import { fileRoutes } from './file-routes.ts';
import { storedFileSchema } from '../../domain/file.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'file.created': true;
    'file.deleted': true;
    'file.refused': true;
  }
}

/** The module of files. */
export const files = defineModule({
  name: 'files',
  routes: [...resultFileRoutes, ...fileRoutes],
  schemas: {
    StoredFile: storedFileSchema,
  },
  tables: [
    { name: 'file_pieces', most: 100, key: ['file_id', 'position'] },
    { name: 'files', most: 50 },
  ],
});
