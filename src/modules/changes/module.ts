import type { Database } from '../../platform/database/connect-database.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import { changeRoutes } from './change-routes.ts';
import { createChangeWatchRepository } from './change-watch-repository.ts';
import { watchChanges } from './watch-changes.ts';

/** The parts of the program that the module uses. */
export interface Parts {
  database: Database;
}

/** The module of changes. */
export const changes = defineModule({
  name: 'changes',
  routes: [...changeRoutes],
  tables: [{ name: 'changes', most: 1000, key: ['xid', 'id'] }],
  api: ({ database }: Parts) => ({
    changeWatch: watchChanges({ repository: createChangeWatchRepository(database.system) }),
  }),
  worker: ({ database }: Parts) => {
    const { removeOld } = createChangeWatchRepository(database.system);
    const sweep = async ({ isStopped }: { isStopped: () => boolean }) => ({
      done: await removeOld(isStopped),
      failed: 0,
    });
    return { sweeps: [{ name: 'changes', sweep }] };
  },
});
