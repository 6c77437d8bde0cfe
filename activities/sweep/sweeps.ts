import type { SweepCounts } from '../../workflows/contract/sweep-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { sweepCredits } from '../credit/sweep-credits.ts';
import { sweepDocuments } from '../document/sweep-documents.ts';
import { sweepReplays } from '../replay/sweep-replays.ts';
import { sweepRoutines } from '../routine/sweep-routines.ts';
import { sweepSchedules } from '../schedule/sweep-schedules.ts';
import { sweepSwarms } from '../swarm/sweep-swarms.ts';
import { sweepUnsettledCalls } from '../tool/sweep-unsettled-calls.ts';
import { sweepTriggers } from '../trigger/sweep-triggers.ts';
import { sweepFreePlaces, sweepQueues } from '../turn/sweep-queues.ts';
import { sweepChunks } from '../turn/sweep-chunks.ts';
import { sweepTurns } from '../turn/sweep-turns.ts';
import { sweepWaitingTurns } from '../turn/sweep-waiting-turns.ts';
import { sweepDeliveries } from '../webhook/sweep-deliveries.ts';
import type { SweepRun } from './sweep-rows.ts';
import { sweepStuckWorkflows } from './sweep-stuck-workflows.ts';

/** One kind of repair. It throws when its own queries fail, which stops no other sweep. */
export interface Sweep {
  /** Names the sweep in logs, in the health of a worker and in the Web UI. */
  name: string;
  sweep: (dependencies: ActivityDependencies, run: SweepRun) => Promise<SweepCounts>;
}

/** All sweeps. Each is an activity of the sweeper's workflow; a new line here needs no change of the workflow. */
export const sweeps: readonly Sweep[] = [
  { name: 'turns', sweep: sweepTurns },
  { name: 'waiting turns', sweep: sweepWaitingTurns },
  { name: 'queues', sweep: sweepQueues },
  { name: 'free places', sweep: sweepFreePlaces },
  { name: 'documents', sweep: sweepDocuments },
  { name: 'deliveries', sweep: sweepDeliveries },
  { name: 'replays', sweep: sweepReplays },
  { name: 'schedules', sweep: sweepSchedules },
  { name: 'routines', sweep: sweepRoutines },
  { name: 'credits', sweep: sweepCredits },
  { name: 'swarms', sweep: sweepSwarms },
  { name: 'triggers', sweep: sweepTriggers },
  { name: 'unsettled calls', sweep: sweepUnsettledCalls },
  { name: 'stream chunks', sweep: sweepChunks },
  { name: 'stuck workflows', sweep: sweepStuckWorkflows },
];
