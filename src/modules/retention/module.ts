import type { Logger } from 'pino';
import type { Table } from '../../platform/module/define-module.ts';
import type { Database } from '../../platform/database/connect-database.ts';
import { createRecordRemoval } from './create-record-removal.ts';
import { createRemovalActivities } from './removal-activities.ts';
import type { RemovalDependencies } from './removal.ts';
import { defineModule } from '../../platform/module/define-module.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'retention.applied': true;
  }
}

/** The parts of a worker that the module uses. */
export interface WorkerParts {
  database: Database;
  fileStorage: Pick<RemovalDependencies, 'bucket'>;
  /** The tables of all modules. */
  tables: readonly Table[];
  config: Pick<RemovalDependencies, 'retentionDays'>;
  logger: Logger;
}

/** The module of retention. */
export const retention = defineModule({
  name: 'retention',
  worker: ({ database, fileStorage: { bucket }, tables, config: { retentionDays }, logger }: WorkerParts) => {
    const removeRecords = createRecordRemoval({ database, bucket, tables, logger, retentionDays });
    return { activities: createRemovalActivities({ removeRecords, logger }) };
  },
});
