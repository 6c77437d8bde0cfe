import { defineModule } from '../../platform/module/define-module.ts';
import { blobRoutes } from './blob-routes.ts';
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
  routes: [...blobRoutes, ...fileRoutes],
  schemas: {
    StoredFile: storedFileSchema,
  },
  tables: [
    { name: 'blob_pieces', most: 100, key: ['blob_id', 'position'] },
    { name: 'blobs', most: 50 },
  ],
});
