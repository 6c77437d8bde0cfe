import { createAuditLog } from '../db/audit/audit-log.ts';
import { createRoutineRepository } from '../db/routines/routine-repository.ts';
import type { Principal } from '../domain/api-key.ts';
import { createInvalidInput } from '../domain/errors.ts';
import { isJsonObject, type JsonObject } from '../domain/json.ts';
import type { RoutineChange, RoutineDetails, RoutineInput } from '../domain/routine.ts';
import { newId } from '../lib/ids.ts';
import { checkRoutineDocument } from './check-document.ts';
import { drawRoutine } from './diagram/draw-routine.ts';
import { parseRoutineDocument } from './parse-document.ts';
import type { CheckedDocument, RoutineDependencies } from './routine-dependencies.ts';

type StoreDependencies = Pick<RoutineDependencies, 'database'>;
type Caller = Pick<Principal, 'workspaceId'>;

/**
 * Checks and stores a routine with version 1.
 * @throws HoldfastError `INVALID_INPUT` with the path of each error; `CONFLICT` for a name that is taken; `NOT_FOUND`
 */
export async function createRoutine(
  { database }: StoreDependencies,
  { workspaceId }: Caller,
  { agentId, document: source }: RoutineInput,
): Promise<RoutineDetails> {
  const { document, ...names } = await readDocument(source);
  const diagram = await drawRoutine(document);
  const routine = await database.inWorkspace(workspaceId, async (trx) => {
    const id = newId();
    const stored = await createRoutineRepository(trx).createRoutine({ id, agentId, document, ...names });
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
  { workspaceId }: Caller,
  { id, agentId, document: source }: RoutineChange & { id: string },
): Promise<RoutineDetails> {
  const { document, ...names } = await readDocument(source);
  const diagram = await drawRoutine(document);
  const routine = await database.inWorkspace(workspaceId, async (trx) => {
    const routines = createRoutineRepository(trx);
    const before = await routines.getRoutine(id);
    const agent = agentId ?? before.agentId;
    const stored = await routines.updateRoutine({ id, agentId: agent, document, ...names });
    await createAuditLog(trx).record({
      ...{ type: 'routine.updated', subjectId: id },
      payload: { ...names, agentId: agent, version: stored.version },
    });
    return stored;
  });
  return { ...routine, ...diagram };
}

/** @throws HoldfastError `NOT_FOUND` */
export async function getRoutine(
  { database }: StoreDependencies,
  { workspaceId }: Caller,
  id: string,
): Promise<RoutineDetails> {
  const routine = await database.inWorkspace(workspaceId, (trx) =>
    createRoutineRepository(trx).getRoutine(id),
  );
  return { ...routine, ...(await drawRoutine(routine.document)) };
}

/**
 * Deletes a routine. Runs that have begun go on.
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

async function readDocument(source: string | JsonObject): Promise<CheckedDocument> {
  const document = parseRoutineDocument(source);
  await checkRoutineDocument(document);
  const header = isJsonObject(document.document) ? document.document : {};
  const { namespace, name } = header;
  if (typeof namespace === 'string' && typeof name === 'string') return { document, namespace, name };
  throw createInvalidInput([{ field: 'document/document', message: 'expected a namespace and a name' }]);
}
