import type { Database } from '../../platform/database/connect-database.ts';

/** Everything that the use cases of budgets, prices and usage need from outside. */
export interface CreditDependencies {
  database: Pick<Database, 'inWorkspace'>;
}
