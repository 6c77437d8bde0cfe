import type { Database } from '../../platform/database/connect-database.ts';
import type { Query } from '../../platform/database/statement.ts';
import type { UnitOfWork } from '../../platform/database/unit-of-work.ts';
import { createCreditLedgerRepository } from './credit-ledger-repository.ts';
import { createCreditSweepRepository } from './credit-sweep-repository.ts';
import { sweepCredits } from './credit-sweep.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import { analyticsRoutes } from './usage/analytics-routes.ts';
import { usageRoutes } from './usage/usage-routes.ts';
import { budgetRoutes } from './budgets/budget-routes.ts';
import { budgetSchema } from '../../domain/budget.ts';
import { usageFiguresSchema } from '../../domain/usage-report.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'budget.created': true;
    'budget.updated': true;
    'budget.deleted': true;
    'prices.updated': true;
  }
}

/** The parts of a worker that the module uses. */
export interface WorkerParts {
  database: Database;
  units: { inPipeline: UnitOfWork<Query> };
}

/** The module of credits. */
export const credits = defineModule({
  name: 'credits',
  routes: [...analyticsRoutes, ...usageRoutes, ...budgetRoutes],
  schemas: {
    Budget: budgetSchema,
    UsageFigures: usageFiguresSchema,
  },
  tables: [
    { name: 'credit_entries', most: 1000, key: ['source_id', 'part'] },
    { name: 'budget_shares', most: 1000, key: ['budget_id', 'starts_at', 'share'] },
    { name: 'budgets', most: 100 },
    { name: 'workspace_prices', most: 1, key: ['workspace_id'] },
  ],
  worker: ({ database, units }: WorkerParts) => {
    const sweep = createCreditSweepRepository(database.system);
    const countSettled = (workspaceId: string) =>
      units.inPipeline(workspaceId, (query) => createCreditLedgerRepository(query).countSettled());
    return { sweeps: [{ name: 'credits', sweep: (run) => sweepCredits({ sweep, countSettled }, run) }] };
  },
});
