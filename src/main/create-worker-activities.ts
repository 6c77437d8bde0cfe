import { createActivities } from '../../activities/index.ts';
import type { ReplayStepDependencies } from '../../activities/replay/replay-services.ts';
import type { StepDependencies } from '../../activities/step-dependencies.ts';
import { createSettleTurn } from '../../activities/turn/settle-turn.ts';
import { createTurnSweeps, createTurnWork } from '../../activities/turn/turn-work.ts';
import type { CallLanguageModel } from '../domain/model.ts';
import { createLanguageModelCaller } from '../engines/models/create-language-model-caller.ts';
import { checkModelName } from '../engines/models/model-name.ts';
import { sealToOrigin } from '../engines/models/seal-to-origin.ts';
import { checkToolInputs } from '../engines/tools/check-tool-inputs.ts';
import { schemaChecksOf } from '../engines/tools/json-schema/schema-checks.ts';
import { createOpenApiReader } from '../engines/tools/openapi/read-document.ts';
import { createReplayEngine } from '../modules/replays/replay-engine.ts';
import { createUnsettledCallSweepRepository } from '../modules/turns/calls/unsettled-call-repository.ts';
import { createSweepRepository } from '../modules/turns/turn-sweep-repository.ts';
import type { Table, WorkerPart } from '../platform/module/define-module.ts';
import { createWorkerParts, type ModuleWith, type PartsOf } from '../platform/module/derive.ts';
import { createStuckEngine } from '../platform/work/stuck-engine.ts';
import { createStuckSweepRepository } from '../platform/work/stuck-workflow-repository.ts';
import { createSweepFailures, type SweepFailures } from '../platform/work/sweep-failures.ts';
import type { Sweep } from '../platform/work/sweep-rows.ts';
import type { WorkKind } from '../platform/work/work-kind.ts';
import { sweepStuckWorkflows } from '../platform/work/sweep-stuck-workflows.ts';
import { createReplayServicesFactory } from './create-replay-services.ts';
import { createScheduledWork } from './create-scheduled-work.ts';
import { createStepDependencies, type ActivityParts, type StepParts } from './create-step-dependencies.ts';
import { listRemovedTables, modules, type AnyModule } from './modules.ts';

/** Changes the model or the tools of a worker, for benchmarks and tests. */
export interface StepOverrides extends Partial<Pick<StepDependencies, 'tools'>> {
  /** Wraps the function that calls models, or replaces it. */
  adaptModel?: (call: CallLanguageModel) => CallLanguageModel;
}

/** All activities of a worker, with the failures of its sweeps and the parts that its turns without a workflow use. */
export interface WorkerActivities extends Pick<StepParts, 'steps' | 'turnStarter'> {
  activities: object;
  sweepFailures: SweepFailures;
}

/** Everything that the modules use of the parts of a worker. */
type ModuleParts = PartsOf<AnyModule>;

/** A module whose part of a worker needs no more than the parts that a worker has. */
export type WorkerModule = ModuleWith<ModuleParts>;

/** Builds the activities of a worker: those of turns, and the part of each module. */
export function createWorkerActivities(
  parts: ActivityParts,
  { adaptModel = (call) => call, ...overrides }: StepOverrides = {},
  of: readonly WorkerModule[] = modules,
): WorkerActivities {
  const wired = createStepDependencies(parts, adaptModel);
  const steps = { ...wired.steps, ...overrides };
  const built = [
    createTurnPart(parts, steps),
    ...createWorkerParts(of, toModuleParts(parts, { ...wired, steps }, listRemovedTables(of))),
  ];
  const kinds = built.flatMap(({ work = [] }) => work);
  const sweeps = [
    ...kinds.map(({ sweep }) => sweep),
    ...built.flatMap((part) => part.sweeps ?? []),
    createStuckSweep(parts, kinds),
  ];
  const sweepFailures = createSweepFailures();
  const ofTurns = createActivities({
    ...{ steps, routines: { readOpenApi: createDocumentReader(parts) } },
    replays: { createServices: createReplayServices(parts, { ...wired, adaptModel }) },
    sweeper: { sweeps, failures: sweepFailures },
  });
  const ofModules = Object.assign({}, ...built.map(({ activities }) => activities)) as object;
  const { turnStarter } = wired;
  return { activities: { ...ofTurns, ...ofModules }, sweepFailures, steps, turnStarter };
}

function toModuleParts(
  { services, client, config, logger }: ActivityParts,
  { steps, units, routines, swarms }: ReturnType<typeof createStepDependencies>,
  tables: readonly Table[],
): ModuleParts {
  const { database, taskQueue } = services;
  const { turnDependencies, engine, notifier } = steps;
  const { startReplay } = createReplayEngine({ client, taskQueue });
  const replays = {
    ...{ database, startReplay, logger, checkTools: checkToolInputs },
    checkModelName: (name: string, options?: { hasConnection: boolean }) =>
      checkModelName(config.models, name, options),
  };
  return {
    ...services,
    ...{ client, config, logger, units, routines, swarms, notifier, turnDependencies, startReplay, tables },
    checksOf: schemaChecksOf,
    settleTurn: createSettleTurn(steps),
    findTurnWorkflow: engine.findTurnWorkflow,
    scheduledWork: createScheduledWork({ turns: turnDependencies, replays, routines }),
  };
}

function createTurnPart({ services: { database } }: ActivityParts, steps: StepDependencies): WorkerPart {
  const sweep = createSweepRepository(database.system);
  const unsettledCalls = createUnsettledCallSweepRepository(database.system);
  const dependencies = { ...steps, sweep, unsettledCalls };
  return { work: [createTurnWork(dependencies)], sweeps: createTurnSweeps(dependencies) };
}

function createStuckSweep({ services, client, config }: ActivityParts, kinds: readonly WorkKind[]): Sweep {
  const { database, taskQueue } = services;
  const stuck = {
    sweep: createStuckSweepRepository(database.system, kinds),
    engine: createStuckEngine({ client, taskQueue, kinds }),
    kinds,
    afterMs: config.stuckAfterMs,
  };
  return { name: 'stuck workflows', sweep: (run) => sweepStuckWorkflows(stuck, run) };
}

function createReplayServices(
  { services, config, logger }: ActivityParts,
  { steps, units, adaptModel }: StepParts & Required<Pick<StepOverrides, 'adaptModel'>>,
): ReplayStepDependencies['createServices'] {
  const { partFiles, rateLimiter, modelConnections } = services;
  return createReplayServicesFactory({
    ...{ tools: steps.tools, logger, partFiles, pipelined: units.pipelined, rateLimiter },
    callLanguageModel: adaptModel(createLanguageModelCaller(config.models, modelConnections, sealToOrigin)),
  });
}

function createDocumentReader({ services: { documentFetch, connectionAccess } }: ActivityParts) {
  return createOpenApiReader({
    fetch: documentFetch,
    services: { secrets: { open: connectionAccess.openSecret } },
  });
}
