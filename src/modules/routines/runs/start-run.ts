import { createHash } from 'node:crypto';
import { createRoutineRepository, type RoutineWithDocument } from '../routine-repository.ts';
import { createRoutineRunRepository, type RunnableRoutine } from './routine-run-repository.ts';
import type { ActorRef } from '../../../domain/actor.ts';
import { createInvalidInput, HoldfastError } from '../../../domain/errors.ts';
import type { JsonValue } from '../../../domain/json.ts';
import type { RoutineRun } from '../../../domain/routine.ts';
import { toPreview } from '../../../domain/text.ts';
import { isTemporalOutage } from '../../../platform/lib/temporal-outage.ts';
import type { RoutineDependencies } from '../routine-dependencies.ts';
import { requireSameRequest } from '../../workspaces/repeated-request.ts';
import { toRunId, toStepId } from './run-ids.ts';

/** The priority of runs that people and agents start, which is the default of Temporal. */
const ordinaryPriority = 3;

/** The maximum number of runs that start each other. */
const mostDepth = 5;

/** A requested run; the same key finds the same run. */
export interface RunRequest {
  workspaceId: string;
  routineId: string;
  input: JsonValue;
  idempotencyKey: string;
  startedBy: ActorRef | null;
  /** The agent that a routine without one acts as. @default that of the calling turn */
  agentId?: string | undefined;
  /** The turn whose tool call starts the run. */
  callerTurnId?: string;
  /** Whether the allowlist and the policies of the agent of that turn hold in the run too. @default false */
  inheritsRules?: boolean;
  /** Lower numbers go first. @default 3 */
  priority?: number;
}

type StartDependencies = Pick<RoutineDependencies, 'database' | 'startRoutine' | 'logger'>;

/**
 * Stores a run of the newest version of a routine and starts its workflow. A stored run is not lost when its start fails:
 * the sweeper starts it.
 * @throws HoldfastError `NOT_FOUND`, `CONFLICT`, `IDEMPOTENCY_KEY_REUSED`, `ROUTINE_DEPTH_EXCEEDED`, `INVALID_INPUT`
 * without an agent to act as
 */
export async function startRun(
  dependencies: StartDependencies,
  request: RunRequest,
): Promise<{ accepted: boolean; run: RoutineRun }> {
  const { workspaceId, routineId, input, startedBy, priority = ordinaryPriority } = request;
  const runId = toRunId(workspaceId, request.idempotencyKey);
  const requestHash = toHash(routineId, input);
  const routine = await dependencies.database.inWorkspace(workspaceId, (trx) =>
    createRoutineRepository(trx).getRoutine(routineId),
  );
  const { agentId = null, callerTurnId = null, inheritsRules = false } = request;
  if (routine.agentId === null && agentId === null && callerTurnId === null) {
    const message = 'expected an agent, since the routine names none';
    throw createInvalidInput([{ field: 'agentId', message }]);
  }
  const depth = await findDepth(dependencies, workspaceId, callerTurnId);
  const caller = { agentId, callerTurnId, inheritsRules, startedBy, parentRunId: null, depth, priority };
  const fields = { runId, routineId, version: null, requestHash, input, ...caller };
  const { accepted, run } = await storeRun(dependencies, workspaceId, { ...fields, name: routine.name });
  const person = run.startedBy?.actingFor;
  const isSame = run.requestHash === requestHash;
  requireSameRequest(
    { actsFor: startedBy?.actingFor ?? null },
    { thing: 'run', person, isSame, details: { runId } },
  );
  if (run.settledAt === null) await startStoredRun(dependencies, run);
  return { accepted, run };
}

/** A run that a turn starts is one level below the run in which that turn works. @throws HoldfastError */
async function findDepth(
  { database }: Pick<RoutineDependencies, 'database'>,
  workspaceId: string,
  callerTurnId: string | null,
): Promise<number> {
  if (callerTurnId === null) return 0;
  const above = await database.pipelined(workspaceId, (query) =>
    createRoutineRunRepository(query).findDepthAbove(callerTurnId),
  );
  if (above === null) return 0;
  if (above < mostDepth) return above + 1;
  throw new HoldfastError('ROUTINE_DEPTH_EXCEEDED', `Routines may start each other ${mostDepth} deep only.`);
}

interface RunToStore {
  runId: string;
  routineId: string;
  name: string;
  version: number | null;
  agentId: string | null;
  callerTurnId: string | null;
  inheritsRules: boolean;
  requestHash: string;
  input: JsonValue;
  startedBy: ActorRef | null;
  parentRunId: string | null;
  depth: number;
  priority: number;
}

async function storeRun(
  { database }: Pick<RoutineDependencies, 'database'>,
  workspaceId: string,
  { name, ...run }: RunToStore,
): Promise<{ accepted: boolean; run: RunnableRoutine }> {
  const title = toPreview(`Routine ${name}`, 200);
  const conversationId = toStepId(run.runId, 'conversation');
  const stored = await database.transact(workspaceId, async (query) => {
    const runs = createRoutineRunRepository(query);
    const accepted = await runs.insertRun({ ...run, title, conversationId });
    return { accepted, run: await runs.findRun(run.runId) };
  });
  if (!stored.run) throw new HoldfastError('CONFLICT', 'The agent of this routine was deleted.');
  return { accepted: stored.accepted, run: stored.run };
}

/** Starts the workflow of a stored run. @throws the error of Temporal */
export async function startRunWorkflow(
  { startRoutine }: Pick<RoutineDependencies, 'startRoutine'>,
  run: RunnableRoutine,
): Promise<void> {
  const { id: runId, workspaceId, agentId, conversationId, routineName, version, priority } = run;
  const summary = `${routineName} (version ${version})`;
  await startRoutine({ workspaceId, runId, agentId, conversationId }, { summary, priority });
}

/** Starts the workflow of a stored run. When that fails the sweeper does it later. */
async function startStoredRun(
  dependencies: Pick<RoutineDependencies, 'startRoutine' | 'logger'>,
  run: RunnableRoutine,
): Promise<void> {
  try {
    await startRunWorkflow(dependencies, run);
  } catch (error) {
    dependencies.logger[isTemporalOutage(error) ? 'debug' : 'warn'](
      { err: error, runId: run.id },
      'the routine run is stored, but not started; the sweeper will start it',
    );
  }
}

/** A run that a step of another run starts. */
export interface ChildRunRequest {
  workspaceId: string;
  runId: string;
  step: number;
  namespace: string;
  name: string;
  /** The version that the document gives itself. @default the newest */
  version?: string;
  input: JsonValue;
}

/** Starts a run for a step of another one, once; or says why it cannot be started. */
export async function startChildRun(
  dependencies: StartDependencies,
  { workspaceId, runId: parentRunId, step, namespace, name, version: wanted, input }: ChildRunRequest,
): Promise<{ runId: string } | { refusal: string }> {
  const { database } = dependencies;
  const found = await findTarget(database, workspaceId, { namespace, name, version: wanted });
  if ('refusal' in found) return found;
  const { routine, version } = found;
  const parent = await database.pipelined(workspaceId, (query) =>
    createRoutineRunRepository(query).findRun(parentRunId),
  );
  const depth = (parent?.depth ?? 0) + 1;
  if (depth > mostDepth) return { refusal: `routines may start each other ${mostDepth} deep` };
  const runId = toStepId(parentRunId, `run ${step}`);
  const requestHash = toHash(routine.id, input);
  const fields = { runId, routineId: routine.id, name: routine.name, version, requestHash, input };
  const { run } = await storeRun(dependencies, workspaceId, {
    ...fields,
    ...{ startedBy: parent?.startedBy ?? null, parentRunId, depth },
    // The turn of a run has the id of the run.
    ...{ agentId: null, callerTurnId: parentRunId, inheritsRules: false },
    priority: parent?.priority ?? ordinaryPriority,
  });
  if (run.settledAt === null) await startStoredRun(dependencies, run);
  return { runId };
}

type ChildTarget = { routine: RoutineWithDocument; version: number | null } | { refusal: string };

/** Finds a routine by its names, and the version that its document has; null for the newest. */
function findTarget(
  database: StartDependencies['database'],
  workspaceId: string,
  { namespace, name, version = 'latest' }: { namespace: string; name: string; version?: string | undefined },
): Promise<ChildTarget> {
  return database.inWorkspace(workspaceId, async (trx): Promise<ChildTarget> => {
    const routines = createRoutineRepository(trx);
    const routine = await routines.findNamed(namespace, name);
    if (!routine) return { refusal: `there is no routine ${namespace}/${name}` };
    if (version === 'latest' || version === routine.documentVersion) return { routine, version: null };
    const stored = await routines.findVersion(routine.id, version);
    if (stored !== null) return { routine, version: stored };
    return { refusal: `there is no version ${version} of the routine ${namespace}/${name}` };
  });
}

function toHash(routineId: string, input: JsonValue): string {
  return createHash('sha256')
    .update(JSON.stringify([routineId, input]))
    .digest('hex');
}
