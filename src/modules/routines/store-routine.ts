import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createRoutineRepository } from './routine-repository.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Maker } from '../../domain/resource.ts';
import type { RoutineChange, RoutineDetails, RoutineInput } from '../../domain/routine.ts';
import { newId } from '../../platform/lib/ids.ts';
import { checkConnections } from './documents/check-connections.ts';
import { drawDocument, readDocument } from './documents/document-threads.ts';
import type { RoutineDependencies } from './routine-dependencies.ts';

type StoreDependencies = Pick<RoutineDependencies, 'database'>;
type Caller = Pick<Actor, 'workspaceId'>;
/** Who stores a document needs the right to the connections that it names. */
type Author = Pick<Actor, 'workspaceId' | 'scopes'>;

/** The maker of a routine, and the id that it gets. */
interface Making {
  /** @default a new one */
  id?: string;
  /** @default not known */
  owner?: Maker;
}

/** The maker of a version, and the version that it changes. */
interface Remaking {
  id: string;
  /** The version that the caller has seen. @default any */
  expectedVersion?: number | undefined;
  /** Names the request: a repeated one makes no other version. @default none */
  requestId?: string | null;
  madeBy?: Maker;
}

/**
 * Checks and stores a routine with version 1.
 * @throws HoldfastError `INVALID_INPUT` with the path of each error; `CONFLICT` for a name that is taken; `NOT_FOUND`;
 * `FORBIDDEN` for a document with connections without the right to use them
 */
export async function createRoutine(
  { database }: StoreDependencies,
  author: Author,
  { agentId: agent, document: source, id = newId(), owner }: Omit<RoutineInput, 'actingFor'> & Making,
): Promise<RoutineDetails> {
  const agentId = agent ?? null;
  const { workspaceId } = author;
  const { document, diagram, ...names } = await readDocument(workspaceId, source);
  const routine = await database.inWorkspace(workspaceId, async (trx) => {
    await checkConnections(trx, { author, maker: owner, document });
    const making = { id, madeBy: owner ?? null, requestId: null };
    const stored = await createRoutineRepository(trx).createRoutine({
      agentId,
      document,
      ...names,
      ...making,
    });
    await createAuditLog(trx).record({
      ...{ type: 'routine.created', subjectId: id },
      payload: { ...names, agentId, version: 1 },
    });
    return stored;
  });
  return { ...routine, ...diagram };
}

/**
 * Checks a document and stores it as the next version of a routine. Runs that have begun keep their version.
 * @throws HoldfastError as `createRoutine`
 */
export async function updateRoutine(
  { database }: StoreDependencies,
  author: Author,
  {
    id,
    agentId,
    document: source,
    expectedVersion,
    requestId = null,
    madeBy,
  }: Omit<RoutineChange, 'actingFor'> & Remaking,
): Promise<RoutineDetails> {
  const { workspaceId } = author;
  const { document, diagram, ...names } = await readDocument(workspaceId, source);
  const routine = await database.inWorkspace(workspaceId, async (trx) => {
    await checkConnections(trx, { author, maker: madeBy, document });
    const routines = createRoutineRepository(trx);
    const before = await routines.getRoutine(id);
    if (requestId !== null && (await routines.hasVersionOf(requestId))) return before;
    const agent = agentId ?? before.agentId;
    const making = { id, madeBy: madeBy ?? null, requestId, expectedVersion };
    const stored = await routines.updateRoutine({ agentId: agent, document, ...names, ...making });
    await createAuditLog(trx).record({
      ...{ type: 'routine.updated', subjectId: id },
      payload: { ...names, agentId: agent, version: stored.version },
    });
    return stored;
  });
  return { ...routine, ...diagram };
}

/** @throws HoldfastError `NOT_FOUND`; `RATE_LIMITED` as `drawDocument` */
export async function getRoutine(
  { database }: StoreDependencies,
  { workspaceId }: Caller,
  id: string,
): Promise<RoutineDetails> {
  const routine = await database.inWorkspace(workspaceId, (trx) =>
    createRoutineRepository(trx).getRoutine(id),
  );
  return { ...routine, ...(await drawDocument(workspaceId, routine.document)) };
}

/**
 * Deletes a routine. Runs that have begun continue.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function deleteRoutine(
  { database }: StoreDependencies,
  { workspaceId }: Caller,
  id: string,
): Promise<void> {
  await database.inWorkspace(workspaceId, async (trx) => {
    await createRoutineRepository(trx).deleteRoutine(id);
    await createAuditLog(trx).record({ type: 'routine.deleted', subjectId: id, payload: {} });
  });
}

/**
 * Takes back that a routine was deleted.
 * @throws HoldfastError `CONFLICT` when another routine has its name by now; `NOT_FOUND`
 */
export async function restoreRoutine(
  { database }: StoreDependencies,
  { workspaceId }: Caller,
  id: string,
): Promise<void> {
  await database.inWorkspace(workspaceId, async (trx) => {
    const { namespace, name, version } = await createRoutineRepository(trx).restoreRoutine(id);
    const payload = { namespace, name, version, restored: true };
    await createAuditLog(trx).record({ type: 'routine.updated', subjectId: id, payload });
  });
}
