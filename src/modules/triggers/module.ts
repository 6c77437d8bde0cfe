import type { Database } from '../../platform/database/connect-database.ts';
import type { StartDependencies } from './trigger-dependencies.ts';
import { createTriggerSweepRepository } from './trigger-sweep-repository.ts';
import { sweepTriggers } from './trigger-sweep.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import { triggerRoutes } from './trigger-routes.ts';
import { addHooks } from './trigger-hook-routes.ts';
import { triggerDeliveryDetailsSchema, triggerDeliverySchema, triggerSchema } from './trigger.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'trigger.created': true;
    'trigger.updated': true;
    'trigger.secret_rotated': true;
    'trigger.deleted': true;
  }
}

/** The parts of a worker that the module uses. */
export interface WorkerParts {
  database: Database;
  turnDependencies: Omit<StartDependencies, 'startRoutine' | 'database'>;
  routines: Pick<StartDependencies, 'startRoutine'>;
}

/** The module of triggers. */
export const triggers = defineModule({
  name: 'triggers',
  routes: [...triggerRoutes],
  doors: [addHooks],
  schemas: {
    Trigger: triggerSchema,
    TriggerDelivery: triggerDeliverySchema,
    TriggerDeliveryDetails: triggerDeliveryDetailsSchema,
  },
  tables: [
    { name: 'trigger_deliveries', most: 500 },
    { name: 'triggers', most: 100 },
  ],
  worker: ({ database, turnDependencies, routines: { startRoutine } }: WorkerParts) => {
    const starts = { ...turnDependencies, database, startRoutine };
    const sweep = createTriggerSweepRepository(database.system);
    return { sweeps: [{ name: 'triggers', sweep: (run) => sweepTriggers({ starts, sweep }, run) }] };
  },
});
