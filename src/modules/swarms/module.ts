import type { Database } from '../../platform/database/connect-database.ts';
import { createStartSweep } from '../../platform/work/start-sweep.ts';
import { createSwarmActivities } from './swarm-activities.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';
import { createSwarmSweepRepository } from './swarm-sweep-repository.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import { createSwarmEngine } from './swarm-engine.ts';
import { swarmRoutes } from './swarm-routes.ts';
import { linkedSwarmSchema, subtaskSchema, swarmDetailsSchema, swarmSchema } from '../../domain/swarm.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'swarm.started': true;
    'swarm.ended': true;
  }
}

/** The parts of a worker that the module uses. */
export interface WorkerParts {
  database: Database;
  swarms: SwarmDependencies;
}

/** The module of swarms. */
export const swarms = defineModule({
  name: 'swarms',
  routes: [...swarmRoutes],
  schemas: {
    Subtask: subtaskSchema,
    Swarm: swarmSchema,
    SwarmDetails: swarmDetailsSchema,
    LinkedSwarm: linkedSwarmSchema,
  },
  tables: [{ name: 'swarms', most: 10 }],
  engine: ({ toReport, ...parts }) => {
    const { startSwarm } = createSwarmEngine(parts);
    return { startSwarm: toReport('startSwarm', startSwarm) };
  },
  worker: ({ database, swarms: dependencies }: WorkerParts) => {
    const { startSwarm } = dependencies;
    return {
      activities: createSwarmActivities(dependencies),
      work: [
        {
          kind: 'swarm',
          workflows: ['swarm'],
          sweep: createStartSweep({
            name: 'swarms',
            rows: createSwarmSweepRepository(database.system),
            toId: ({ swarmId }) => swarmId,
            start: startSwarm,
          }),
          stuck: {
            ...{ table: 'swarms', isStopped: "status = 'ending'" },
            restart: (workspaceId, swarmId) => startSwarm({ workspaceId, swarmId }),
          },
        },
      ],
    };
  },
});
