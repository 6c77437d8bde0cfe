import { createRoutineEngine } from '../../src/temporal/routine-engine.ts';
import type { JsonValue } from '../../src/domain/json.ts';
import type { RoutineRunDetails } from '../../src/domain/routine.ts';
import { newId } from '../../src/lib/ids.ts';
import { controlRun } from '../../src/routines/control-run.ts';
import { readRun } from '../../src/routines/read-run.ts';
import type { RoutineCommand, RoutineDependencies } from '../../src/routines/routine-dependencies.ts';
import { startRun } from '../../src/routines/start-run.ts';
import { createRoutine } from '../../src/routines/store-routine.ts';
import { eventually } from './eventually.ts';
import type { LabSceneOptions } from './turn-lab-scene.ts';
import type { TurnLab } from './turn-lab.ts';

/** An agent whose routines run in a laboratory of turns. */
export async function createRoutineScene(lab: TurnLab, options: LabSceneOptions = {}) {
  const scene = await lab.scene(options);
  const { workspaceId, database, client, taskQueue } = lab;
  const engine = createRoutineEngine({ client, taskQueue });
  const logger = { warn: () => undefined, debug: () => undefined };
  const dependencies: RoutineDependencies = { database, logger, ...engine };
  const principal = { workspaceId };
  const read = (runId: string) => readRun(dependencies, principal, runId);

  return {
    ...scene,
    dependencies,
    store: (document: string) =>
      createRoutine(dependencies, principal, { agentId: scene.agent.id, document }),
    start: async (routineId: string, input: JsonValue = {}, idempotencyKey: string = newId()) => {
      const request = { workspaceId, routineId, input, idempotencyKey, startedBy: null };
      const { run } = await startRun(dependencies, request);
      return run.id;
    },
    control: (runId: string, command: RoutineCommand) =>
      controlRun(dependencies, principal, { runId, command }),
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
