import { randomUUID } from 'node:crypto';
import { createRoutineEngine } from '../../src/modules/routines/routine-engine.ts';
import { startRun } from '../../src/modules/routines/runs/start-run.ts';
import { toTurnWorkflowId } from '../../src/contract/submission.ts';
import { monotonicMs } from '../clock.ts';
import type { rawSteps } from '../raw/workflows.ts';
import type { ProcedureOrder, ProcedureRequests, ProcedureResult, Seed } from './contract.ts';
import { rawTaskQueue } from './contract.ts';
import type { DriverParts } from './turn-drivers.ts';

type Procedures = DriverParts & { getSeed: () => Seed };

/** Answers the request to run workflows of many steps with a constant number in flight. */
export function createProcedureRequests(parts: Procedures): ProcedureRequests {
  return {
    runProcedures: async ({ procedure, count, inFlight }: ProcedureOrder): Promise<ProcedureResult> => {
      const runOne = createProcedure(parts, procedure);
      const latenciesMs: number[] = [];
      const workflowIds: string[] = [];
      let left = count;
      const startedAt = monotonicMs();
      const lane = async () => {
        while (left > 0) {
          left -= 1;
          const begunAt = monotonicMs();
          workflowIds.push(await runOne());
          latenciesMs.push(monotonicMs() - begunAt);
        }
      };
      await Promise.all(Array.from({ length: inFlight }, lane));
      return { latenciesMs, workflowIds, perSecond: (count / (monotonicMs() - startedAt)) * 1000 };
    },
  };
}

function createProcedure(parts: Procedures, procedure: ProcedureOrder['procedure']): () => Promise<string> {
  return 'activities' in procedure
    ? createRawProcedure(parts, procedure.activities)
    : createRoutine(parts, procedure.routineId);
}

function createRawProcedure({ client, startsEagerly }: Procedures, count: number) {
  return async () => {
    const tag = randomUUID();
    const workflowId = `raw-${tag}`;
    await client.workflow.execute<typeof rawSteps>('rawSteps', {
      workflowId,
      taskQueue: rawTaskQueue,
      args: [{ tag, count }],
      requestEagerStart: startsEagerly,
    });
    return workflowId;
  };
}

/** Stores a run and starts it, as the API does, and waits for its end. */
function createRoutine({ client, database, taskQueue, getSeed }: Procedures, routineId: string) {
  const logger = { warn: () => undefined, debug: () => undefined };
  const dependencies = { database, logger, ...createRoutineEngine({ client, taskQueue }) };
  return async () => {
    const { workspaceId } = getSeed();
    const request = { workspaceId, routineId, input: {}, idempotencyKey: randomUUID(), startedBy: null };
    const { run } = await startRun(dependencies, request);
    const workflowId = toTurnWorkflowId(run.id);
    await client.workflow.getHandle(workflowId).result();
    return workflowId;
  };
}
