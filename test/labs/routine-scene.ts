import { createRoutineEngine } from '../../src/modules/routines/routine-engine.ts';
import type { JsonValue } from '../../src/domain/json.ts';
import type { RoutineEvent, RoutineRunDetails } from '../../src/domain/routine.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { emitEvent } from '../../src/modules/routines/runs/emit-event.ts';
import { controlRun } from '../../src/modules/routines/runs/control-run.ts';
import { readRun } from '../../src/modules/routines/runs/read-run.ts';
import type { RoutineCommand, RoutineDependencies } from '../../src/modules/routines/routine-dependencies.ts';
import { startRun } from '../../src/modules/routines/runs/start-run.ts';
import { createKeylessActor, type ActorRef } from '../../src/domain/actor.ts';
import { createRoutine, updateRoutine } from '../../src/modules/routines/store-routine.ts';
import { eventually } from './eventually.ts';
import type { LabSceneOptions } from './turn-lab-scene.ts';
import type { TurnLab } from './turn-lab.ts';

interface RunStart {
  idempotencyKey?: string;
  /** @default an operator */
  startedBy?: ActorRef | null;
  agentId?: string;
}

/** An agent whose routines run in a laboratory of turns. */
export async function createRoutineScene(lab: TurnLab, options: LabSceneOptions = {}) {
  const scene = await lab.scene(options);
  const { workspaceId, database, client, taskQueue } = lab;
  const engine = createRoutineEngine({ client, taskQueue });
  const logger = { warn: () => undefined, debug: () => undefined };
  const dependencies: RoutineDependencies = { database, logger, ...engine };
  const actor = createKeylessActor(workspaceId, 'stored');
  /** An operator. */
  const owner = { type: 'key' as const, person: null, apiKeyId: null, agentId: null, turnId: null };
  const read = (runId: string) => readRun(dependencies, actor, runId);

  return {
    ...scene,
    dependencies,
    /** Stores a routine of the agent of the scene, or with null one of no agent. */
    store: (document: string, agentId: string | null = scene.agent.id) =>
      createRoutine(dependencies, actor, { ...(agentId === null ? {} : { agentId }), document, owner }),
    start: async (
      routineId: string,
      input: JsonValue = {},
      { idempotencyKey = newId(), startedBy = null, agentId }: RunStart = {},
    ) => {
      const request = { workspaceId, routineId, input, idempotencyKey, startedBy, agentId };
      const { run } = await startRun(dependencies, request);
      return run.id;
    },
    /** Stores the next version of a routine. */
    change: (id: string, document: string) =>
      updateRoutine(dependencies, actor, { id, document, madeBy: owner }),
    /** Waits until a run receives events that come from now on. */
    untilListening: (runId: string) =>
      eventually(
        () =>
          database.inWorkspace(workspaceId, async (trx) =>
            trx('routine_runs').where({ id: runId }).first<{ listening: boolean }>('listening'),
          ),
        ({ listening }) => listening,
      ),
    /** The entries of a run in the ledger of credits. */
    readEntries: (runId: string) =>
      database.inWorkspace(workspaceId, async (trx) =>
        trx('credit_entries').where({ source_id: runId }).orderBy('part').select('*'),
      ),
    /** Emits an event of an operator. */
    emit: (event: RoutineEvent) => emitEvent(dependencies, actor, event),
    control: (runId: string, command: RoutineCommand) => controlRun(dependencies, actor, { runId, command }),
    read,
    /** Waits until a run is as it is wanted. */
    until: (runId: string, isWanted: (run: RoutineRunDetails) => boolean) =>
      eventually(() => read(runId), isWanted),
    /** Waits until a run has ended. */
    end: (runId: string) =>
      eventually(
        () => read(runId),
        ({ settledAt }) => settledAt !== null,
      ),
  };
}

export type RoutineScene = Awaited<ReturnType<typeof createRoutineScene>>;

/** Returns the text of a document with these tasks. */
export function toDocument(name: string, tasks: string, more = ''): string {
  return `document: { dsl: '1.0.0', namespace: test, name: ${name}, version: '1.0.0' }\n${more}\ndo:\n${tasks}`;
}
