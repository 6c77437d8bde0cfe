import { createDocumentActivities } from '../modules/knowledge/document-activities.ts';
import { sweepDocuments } from '../modules/knowledge/document-sweep.ts';
import { sweepCredits } from '../modules/credits/credit-sweep.ts';
import { createActivities } from '../../activities/index.ts';
import type { ReplayStepDependencies } from '../../activities/replay/replay-services.ts';
import { sweepReplays } from '../modules/replays/replay-sweep.ts';
import { createRemovalActivities } from '../modules/retention/removal-activities.ts';
import { createRoutineActivities } from '../modules/routines/routine-activities.ts';
import type { RoutineActivityDependencies } from '../modules/routines/routine-activity-dependencies.ts';
import { createStuckRunEnding } from '../modules/routines/runs/stuck-run.ts';
import { sweepRoutines } from '../modules/routines/routine-sweep.ts';
import { createScheduleActivities } from '../modules/schedules/schedule-activities.ts';
import { sweepSchedules } from '../modules/schedules/schedule-sweep.ts';
import type { StepDependencies } from '../../activities/step-dependencies.ts';
import { createSwarmActivities } from '../modules/swarms/swarm-activities.ts';
import { sweepSwarms } from '../modules/swarms/swarm-sweep.ts';
import type { StuckDependencies } from '../platform/work/end-stuck-work.ts';
import { createSweepFailures, type SweepFailures } from '../platform/work/sweep-failures.ts';
import { sweepStuckWorkflows } from '../platform/work/sweep-stuck-workflows.ts';
import type { Sweep } from '../platform/work/sweep-rows.ts';
import { createTurnSweeps } from '../../activities/turn/turn-sweeps.ts';
import { sweepTriggers } from '../modules/triggers/trigger-sweep.ts';
import { createSettleTurn } from '../../activities/turn/settle-turn.ts';
import { createStuckTurnEnding } from '../../activities/turn/stuck-turn.ts';
import { createDeliveryActivities } from '../modules/webhooks/deliveries/delivery-activities.ts';
import { sweepDeliveries } from '../modules/webhooks/deliveries/delivery-sweep.ts';
import { createWaitingTurnRepository } from '../modules/actions/waiting-turn-repository.ts';
import { createCreditLedgerRepository } from '../modules/credits/credit-ledger-repository.ts';
import { createCreditSweepRepository } from '../modules/credits/credit-sweep-repository.ts';
import { createDocumentSweepRepository } from '../modules/knowledge/document-sweep-repository.ts';
import { createReplaySweepRepository } from '../modules/replays/replay-sweep-repository.ts';
import { createRoutineCallRepository } from '../modules/routines/calls/routine-call-repository.ts';
import { createRoutineEventRepository } from '../modules/routines/runs/routine-event-repository.ts';
import { createRoutineRunRepository } from '../modules/routines/runs/routine-run-repository.ts';
import { createRoutineSweepRepository } from '../modules/routines/routine-sweep-repository.ts';
import type { Query } from '../platform/database/statement.ts';
import { createStuckSweepRepository } from '../platform/work/stuck-workflow-repository.ts';
import { createSwarmSweepRepository } from '../modules/swarms/swarm-sweep-repository.ts';
import { createTriggerSweepRepository } from '../modules/triggers/trigger-sweep-repository.ts';
import { createSweepRepository } from '../modules/turns/turn-sweep-repository.ts';
import { createUnsettledCallSweepRepository } from '../modules/turns/calls/unsettled-call-repository.ts';
import { createDeliverySweepRepository } from '../modules/webhooks/deliveries/delivery-sweep-repository.ts';
import { createLanguageModelCaller } from '../engines/models/create-language-model-caller.ts';
import { checkModelName } from '../engines/models/model-name.ts';
import { sealToOrigin } from '../engines/models/seal-to-origin.ts';
import { createRecordRemoval } from '../modules/retention/create-record-removal.ts';
import { createDeliveryEngine } from '../modules/webhooks/deliveries/delivery-engine.ts';
import { createIngestionEngine } from '../modules/knowledge/ingestion-engine.ts';
import { createReplayEngine } from '../modules/replays/replay-engine.ts';
import { createStuckEngine } from '../platform/work/stuck-engine.ts';
import { checkToolInputs } from '../engines/tools/check-tool-inputs.ts';
import { schemaChecksOf } from '../engines/tools/json-schema/schema-checks.ts';
import { createOpenApiReader } from '../engines/tools/openapi/read-document.ts';
import { createReplayServicesFactory } from './create-replay-services.ts';
import { createScheduleServices } from './create-schedule-services.ts';
import { createStepDependencies, type ActivityParts, type StepParts } from './create-step-dependencies.ts';
import { watchTemporal } from './watch-temporal.ts';

/** Replaces the model or the tools of a worker, for benchmarks. */
export type StepOverrides = Partial<Pick<StepDependencies, 'callLanguageModel' | 'tools'>>;

/** The part that a noun has in the work of a worker. */
interface WorkerPart {
  activities?: object;
  sweeps?: Sweep[];
  /** How its work is ended when its workflow is stuck. */
  endings?: StuckDependencies['endings'];
}

/** All activities of a worker, with the failures of its sweeps. */
export interface WorkerActivities {
  activities: object;
  sweepFailures: SweepFailures;
}

/** Builds the activities of a worker: those of turns, and the part of each noun. */
export function createWorkerActivities(
  parts: ActivityParts,
  overrides: StepOverrides = {},
): WorkerActivities {
  const { services, client, config } = parts;
  const { database, taskQueue } = services;
  const wired = createStepDependencies(parts);
  const steps = { ...wired.steps, ...overrides };
  const replays = createReplayPart(parts, wired, overrides);
  const nouns: WorkerPart[] = [
    createTurnPart(parts, steps),
    createDocumentPart(parts),
    createDeliveryPart(parts),
    replays,
    createSchedulePart(parts, wired, replays),
    createRoutinePart(wired, parts),
    createCreditPart(parts, wired),
    createSwarmPart(parts, wired),
    createTriggerPart(parts, wired),
    createRetentionPart(parts),
  ];
  const stuck = {
    sweep: createStuckSweepRepository(database.system),
    engine: createStuckEngine({ client, taskQueue }),
    endings: Object.assign({}, ...nouns.map(({ endings }) => endings)) as StuckDependencies['endings'],
    afterMs: config.stuckAfterMs,
  };
  const sweeps: Sweep[] = [
    ...nouns.flatMap((noun) => noun.sweeps ?? []),
    { name: 'stuck workflows', sweep: (run) => sweepStuckWorkflows(stuck, run) },
  ];
  const sweepFailures = createSweepFailures();
  const turnActivities = createActivities({
    ...{ steps, replays, routines: { readOpenApi: createDocumentReader(parts) } },
    sweeper: { sweeps, failures: sweepFailures },
  });
  const own = Object.assign({}, ...nouns.map(({ activities }) => activities)) as object;
  return { activities: { ...turnActivities, ...own }, sweepFailures };
}

function createTurnPart({ services: { database } }: ActivityParts, steps: StepDependencies): WorkerPart {
  const sweep = createSweepRepository(database.system);
  const unsettledCalls = createUnsettledCallSweepRepository(database.system);
  return {
    sweeps: createTurnSweeps({ ...steps, sweep, unsettledCalls }),
    endings: { turn: createStuckTurnEnding(steps) },
  };
}

function createDocumentPart({ services, client }: ActivityParts): WorkerPart {
  const { database, knowledge, taskQueue } = services;
  const { ingestion } = knowledge;
  const engine = createIngestionEngine({ client, taskQueue });
  const sweep = createDocumentSweepRepository(database.system);
  return {
    activities: createDocumentActivities(ingestion),
    sweeps: [{ name: 'documents', sweep: (run) => sweepDocuments({ ingestion, engine, sweep }, run) }],
  };
}

function createDeliveryPart({ services, client, config }: ActivityParts): WorkerPart {
  const { database, keyRing, webhookFetch, connectionAccess, router, taskQueue, temporalState } = services;
  const { startDelivery } = createDeliveryEngine({ client, taskQueue });
  services.deliveryStarter.startWith(watchTemporal(startDelivery, temporalState));
  const sweep = createDeliverySweepRepository(database.system);
  const attempts = {
    ...{ database, keyRing, fetch: webhookFetch, pausesMs: config.webhookPausesMs },
    slack: { database, openConnection: connectionAccess.open, execute: router.executeMCPTool },
  };
  return {
    activities: createDeliveryActivities(attempts),
    sweeps: [{ name: 'deliveries', sweep: (run) => sweepDeliveries({ sweep, startDelivery }, run) }],
  };
}

type ReplayPart = WorkerPart &
  Pick<ReplayStepDependencies, 'createServices'> & {
    startReplay: ReturnType<typeof createReplayEngine>['startReplay'];
  };

function createReplayPart(
  { services, client, config, logger }: ActivityParts,
  { steps, units }: StepParts,
  overrides: StepOverrides,
): ReplayPart {
  const { database, taskQueue, partFiles, rateLimiter } = services;
  const { startReplay } = createReplayEngine({ client, taskQueue });
  const sweep = createReplaySweepRepository(database.system);
  const createServices = createReplayServicesFactory({
    ...{ tools: steps.tools, logger, partFiles, pipelined: units.pipelined, rateLimiter },
    callLanguageModel: createLanguageModelCaller(config.models, services.modelConnections, sealToOrigin),
  });
  const { callLanguageModel } = overrides;
  return {
    createServices: (replay) => ({
      ...createServices(replay),
      ...(callLanguageModel ? { callLanguageModel } : {}),
    }),
    startReplay,
    sweeps: [{ name: 'replays', sweep: (run) => sweepReplays({ sweep, startReplay }, run) }],
    endings: { replay: { restart: (workspaceId, replayId) => startReplay({ workspaceId, replayId }) } },
  };
}

function createSchedulePart(
  { services, client, config, logger }: ActivityParts,
  { steps, routines }: StepParts,
  { startReplay }: ReplayPart,
): WorkerPart {
  const { database } = services;
  const { runs, sweep, copySchedule } = createScheduleServices({
    ...{ services, client, routines, turns: steps.turnDependencies },
    replays: {
      ...{ database, startReplay, logger, checkTools: checkToolInputs },
      checkModelName: (name, options) => checkModelName(config.models, name, options),
    },
  });
  const { schedules } = runs;
  return {
    activities: createScheduleActivities(runs),
    sweeps: [{ name: 'schedules', sweep: (run) => sweepSchedules({ sweep, schedules, copySchedule }, run) }],
  };
}

function createRoutinePart(
  { steps, units, routines }: StepParts,
  { services: { database }, logger }: ActivityParts,
): WorkerPart {
  const dependencies: RoutineActivityDependencies = {
    pipelined: (workspaceId, run) =>
      units.inPipeline(workspaceId, (query) => run(createRoutineRepositories(query))),
    transact: (workspaceId, run) =>
      units.inTransaction(workspaceId, (query) => run(createRoutineRepositories(query))),
    ...{ routines, logger, notifier: steps.notifier, checksOf: schemaChecksOf },
    sweep: createRoutineSweepRepository(database.system),
    settleTurn: createSettleTurn(steps),
    findTurnWorkflow: steps.engine.findTurnWorkflow,
  };
  return {
    activities: createRoutineActivities(dependencies),
    sweeps: [{ name: 'routines', sweep: (run) => sweepRoutines(dependencies, run) }],
    endings: { routine_run: createStuckRunEnding(dependencies) },
  };
}

function createRoutineRepositories(query: Query) {
  return {
    routineRuns: createRoutineRunRepository(query),
    routineCalls: createRoutineCallRepository(query),
    routineEvents: createRoutineEventRepository(query),
    waiting: createWaitingTurnRepository(query),
  };
}

function createDocumentReader({ services: { documentFetch, connectionAccess } }: ActivityParts) {
  return createOpenApiReader({
    fetch: documentFetch,
    services: { secrets: { open: connectionAccess.openSecret } },
  });
}

function createCreditPart({ services: { database } }: ActivityParts, { units }: StepParts): WorkerPart {
  const sweep = createCreditSweepRepository(database.system);
  const countSettled = (workspaceId: string) =>
    units.inPipeline(workspaceId, (query) => createCreditLedgerRepository(query).countSettled());
  return { sweeps: [{ name: 'credits', sweep: (run) => sweepCredits({ sweep, countSettled }, run) }] };
}

function createSwarmPart({ services: { database } }: ActivityParts, { swarms }: StepParts): WorkerPart {
  const { startSwarm } = swarms;
  const sweep = createSwarmSweepRepository(database.system);
  return {
    activities: createSwarmActivities(swarms),
    sweeps: [{ name: 'swarms', sweep: (run) => sweepSwarms({ sweep, startSwarm }, run) }],
    endings: { swarm: { restart: (workspaceId, swarmId) => startSwarm({ workspaceId, swarmId }) } },
  };
}

function createTriggerPart(
  { services: { database } }: ActivityParts,
  { steps, routines: { startRoutine } }: StepParts,
): WorkerPart {
  const starts = { ...steps.turnDependencies, database, startRoutine };
  const sweep = createTriggerSweepRepository(database.system);
  return { sweeps: [{ name: 'triggers', sweep: (run) => sweepTriggers({ starts, sweep }, run) }] };
}

function createRetentionPart({ services, config: { retentionDays }, logger }: ActivityParts): WorkerPart {
  const { database, fileStorage } = services;
  const removal = { database, bucket: fileStorage.bucket, logger, retentionDays };
  const removeRecords = createRecordRemoval(removal);
  return { activities: createRemovalActivities({ removeRecords, logger }) };
}
