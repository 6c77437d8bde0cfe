import type { Knex } from 'knex';
import { HoldfastError } from '../../domain/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { Maker } from '../../domain/resource.ts';
import type { Routine } from '../../domain/routine.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';

interface RoutineRow {
  id: string;
  agent_id: string | null;
  namespace: string;
  name: string;
  version: number;
  owner: Maker | null;
  created_at: Date;
  updated_at: Date;
  document: JsonObject;
}

/** A routine that is to be stored. Its names are those of its document. */
export interface StoredDocument {
  id: string;
  agentId: string | null;
  namespace: string;
  name: string;
  document: JsonObject;
  madeBy: Maker | null;
  requestId: string | null;
  /** The version that is to be changed. @default the newest */
  expectedVersion?: number | undefined;
}

/** A routine with the document of one of its versions. */
export interface RoutineWithDocument extends Routine {
  document: JsonObject;
}

/** Routines of one workspace. */
export function createRoutineRepository(trx: Knex) {
  const newest = () =>
    trx('routines AS r')
      .join('routine_versions AS v', (on) => {
        void on.on('v.routine_id', 'r.id').andOn('v.version', 'r.version');
      })
      .whereNull('r.deleted_at')
      .select('r.*', 'v.document');

  return {
    /** @throws HoldfastError `CONFLICT` when another routine has the name, `NOT_FOUND` for an agent that is not there */
    createRoutine: async (stored: StoredDocument): Promise<RoutineWithDocument> => {
      await checkAgent(trx, stored.agentId);
      await insertRoutine(trx, stored);
      await insertVersion(trx, stored, 1);
      return getRoutine(newest(), stored.id);
    },

    /** Stores a new version. @throws as `createRoutine`; HoldfastError `NOT_FOUND` */
    updateRoutine: async (stored: StoredDocument): Promise<RoutineWithDocument> => {
      await checkAgent(trx, stored.agentId);
      const { id, agentId: agent_id, namespace, name, expectedVersion } = stored;
      const [row] = await refuseTakenName(stored, () =>
        trx('routines')
          .where({
            id,
            deleted_at: null,
            ...(expectedVersion === undefined ? {} : { version: expectedVersion }),
          })
          .update({ agent_id, namespace, name, version: trx.raw('version + 1'), updated_at: trx.fn.now() })
          .returning<{ version: number }[]>('version'),
      );
      if (!row) throw toMissing(await getRoutine(newest(), id), expectedVersion);
      await insertVersion(trx, stored, row.version);
      return getRoutine(newest(), id);
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getRoutine: (id: string): Promise<RoutineWithDocument> => getRoutine(newest(), id),

    /** Finds a routine by the names of its document; null when there is none. */
    findNamed: async (namespace: string, name: string): Promise<RoutineWithDocument | null> => {
      const row = await newest()
        .where({ 'r.namespace': namespace, 'r.name': name })
        .first<RoutineRow | undefined>();
      return row ? toRoutine(row) : null;
    },

    /** Whether a request has made a version. */
    hasVersionOf: (requestId: string): Promise<boolean> => hasVersionOf(trx, requestId),

    /** @throws HoldfastError `CONFLICT` when another routine has the name; `NOT_FOUND` */
    restoreRoutine: async (id: string): Promise<RoutineWithDocument> => {
      await restoreRow(trx, id);
      return getRoutine(newest(), id);
    },

    /** Finds the newest version whose document gives itself this version; null when there is none. */
    findVersion: (id: string, version: string): Promise<number | null> => findVersion(trx, id, version),

    /** Newest first. */
    listRoutines: async ({ cursor, limit }: PageRequest): Promise<Page<Routine>> => {
      const query = newest()
        .orderBy('r.id', 'desc')
        .limit(limit + 1);
      if (cursor !== undefined) void query.where('r.id', '<', cursor);
      return toPage((await query) as RoutineRow[], limit, (row) => toRoutine(row));
    },

    /** @throws HoldfastError `NOT_FOUND` */
    deleteRoutine: async (id: string): Promise<void> => {
      const deleted = await trx('routines')
        .where({ id, deleted_at: null })
        .update({ deleted_at: trx.fn.now() });
      if (deleted === 0) throw routineNotFound(id);
    },
  };
}

/** The error of a routine that the workspace does not have. */
function routineNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no routine ${id}.`);
}

function toMissing({ id, version }: RoutineWithDocument, expected: number | undefined): HoldfastError {
  const message = `The routine ${id} has version ${version}, not ${expected}. Read it again and repeat the change.`;
  return new HoldfastError('CONFLICT', message, { details: { version } });
}

async function getRoutine(query: Knex.QueryBuilder, id: string): Promise<RoutineWithDocument> {
  const row = await query.where({ 'r.id': id }).first<RoutineRow | undefined>();
  if (!row) throw routineNotFound(id);
  return toRoutine(row);
}

async function checkAgent(trx: Knex, id: string | null): Promise<void> {
  if (id === null) return;
  const agent = await trx('agents').where({ id, deleted_at: null }).first<{ id: string } | undefined>('id');
  if (!agent) throw new HoldfastError('NOT_FOUND', `There is no agent ${id}.`);
}

async function hasVersionOf(trx: Knex, request_id: string): Promise<boolean> {
  return (await trx('routine_versions').where({ request_id }).pluck('version')).length > 0;
}

async function findVersion(trx: Knex, routine_id: string, documentVersion: string): Promise<number | null> {
  const row = await trx('routine_versions')
    .where({ routine_id })
    .whereRaw(`document #>> '{document,version}' = ?`, [documentVersion])
    .orderBy('version', 'desc')
    .first<{ version: number } | undefined>('version');
  return row?.version ?? null;
}

async function restoreRow(trx: Knex, id: string): Promise<void> {
  const row = await trx('routines').where({ id }).first<RoutineRow | undefined>('namespace', 'name');
  if (!row) throw routineNotFound(id);
  await refuseTakenName(row, () => trx('routines').where({ id }).update({ deleted_at: null }));
}

async function insertRoutine(trx: Knex, stored: StoredDocument): Promise<void> {
  const { id, agentId: agent_id, namespace, name, madeBy } = stored;
  const owner = madeBy && toStorableJson(madeBy);
  await refuseTakenName(stored, () => trx('routines').insert({ id, agent_id, namespace, name, owner }));
}

async function refuseTakenName<Result>(
  { namespace, name }: Pick<StoredDocument, 'namespace' | 'name'>,
  run: () => Promise<Result> | Knex.QueryBuilder,
): Promise<Result> {
  try {
    return (await run()) as Result;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new HoldfastError(
      'CONFLICT',
      `There is a routine ${namespace}/${name} already. Store a new version of it, or use another name.`,
    );
  }
}

async function insertVersion(trx: Knex, stored: StoredDocument, version: number): Promise<void> {
  await trx('routine_versions').insert({
    routine_id: stored.id,
    version,
    agent_id: stored.agentId,
    document: toStorableJson(stored.document),
    made_by: stored.madeBy && toStorableJson(stored.madeBy),
    request_id: stored.requestId,
  });
}

function toRoutine(row: RoutineRow): RoutineWithDocument {
  const header = isJsonObject(row.document.document) ? row.document.document : {};
  return {
    id: row.id,
    agentId: row.agent_id,
    namespace: row.namespace,
    name: row.name,
    title: toText(header.title),
    summary: toText(header.summary),
    version: row.version,
    documentVersion: toText(header.version) ?? '',
    owner: row.owner,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    document: row.document,
  };
}

function toText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
