import type { Database } from '../../platform/database/connect-database.ts';
import { createStartSweep } from '../../platform/work/start-sweep.ts';
import type { ReplayDependencies } from './replay-dependencies.ts';
import { createReplaySweepRepository } from './replay-sweep-repository.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import { forkComparisonRoutes } from './compare/fork-comparison-routes.ts';
import { replayRoutes } from './replay-routes.ts';
import { replayReportRoutes } from './report/replay-report-routes.ts';
import { linkedReplaySchema, replaySchema } from '../../domain/replay.ts';
import { replayCaseDetailsSchema, reportCaseSchema } from '../../domain/replay-report.ts';
import { createReplayEngine } from './replay-engine.ts';
import { replayQueue } from './replay-queue.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'replay.started': true;
    'replay.called': true;
  }
}

/** The parts of a worker that the module uses. */
export interface WorkerParts extends Pick<ReplayDependencies, 'startReplay'> {
  database: Database;
}

/** The module of replays. */
export const replays = defineModule({
  name: 'replays',
  routes: [...forkComparisonRoutes, ...replayRoutes, ...replayReportRoutes],
  schemas: {
    Replay: replaySchema,
    LinkedReplay: linkedReplaySchema,
    ReportCase: reportCaseSchema,
    ReplayCaseDetails: replayCaseDetailsSchema,
  },
  tables: [
    { name: 'replay_runs', most: 500, key: ['replay_id', 'position', 'lane', 'repeat'] },
    { name: 'replay_cases', most: 1000, key: ['replay_id', 'position'] },
    { name: 'replays', most: 100 },
  ],
  queues: [replayQueue],
  engine: ({ toReport, ...parts }) => {
    const { startReplay } = createReplayEngine(parts);
    return { startReplay: toReport('startReplay', startReplay) };
  },
  worker: ({ database, startReplay }: WorkerParts) => {
    return {
      work: [
        {
          kind: 'replay',
          workflows: ['batchReplay'],
          sweep: createStartSweep({
            name: 'replays',
            rows: createReplaySweepRepository(database.system),
            toId: ({ replayId }) => replayId,
            start: startReplay,
          }),
          stuck: {
            ...{ table: 'replays', isStopped: "status = 'cancelled'" },
            restart: (workspaceId, replayId) => startReplay({ workspaceId, replayId }),
          },
        },
      ],
    };
  },
});
