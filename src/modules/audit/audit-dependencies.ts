import type { Database } from '../../platform/database/connect-database.ts';

/** Everything that the use cases of the audit log and of analytics need from the rest of the program. */
export interface AuditDependencies {
  database: Database;
}
