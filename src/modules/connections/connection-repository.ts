import type { Knex } from 'knex';
import type { Connection } from '../../domain/connection.ts';
import type { NamedConnection } from '../../domain/rules.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { isUuid } from '../../domain/uuid.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';
import {
  toConnection,
  toConnectionColumns,
  toStoredConnection,
  type ConnectionRow,
  type ConnectionValues,
  type StoredConnection,
} from './connection-rows.ts';

/** A connection before it is stored. */
interface NewConnection extends ConnectionValues {
  id: string;
  name: string;
  provider: string;
  ownerId: string | null;
}

/** A page of connections, of one provider or of all. */
interface ConnectionPageRequest extends PageRequest {
  provider?: string | undefined;
}

export type ConnectionRepository = ReturnType<typeof createConnectionRepository>;

/** The connections of one workspace, their secrets sealed. */
export function createConnectionRepository(trx: Knex) {
  const rows = () => trx<ConnectionRow>('connections');
  return {
    /** @throws HoldfastError `CONFLICT` for a name that is taken */
    createConnection: (connection: NewConnection): Promise<Connection> => createConnection(trx, connection),

    /** Null when the workspace has no such connection, also for a text that is not a UUID. */
    findConnection: async (id: string): Promise<StoredConnection | null> => {
      if (!isUuid(id)) return null;
      const row = await rows()
        .where({ id })
        .first<(ConnectionRow & { is_imported: boolean }) | undefined>('*', isImported(trx));
      return row ? toStoredConnection(row) : null;
    },

    /** Those of the connections that the workspace has, by their ids, which have to be UUIDs. */
    findConnections: async (ids: string[]): Promise<Map<string, Connection>> =>
      new Map((await rows().whereIn('id', ids)).map((row) => [row.id, toConnection(row)])),

    /** Like `findConnection`; locks the row until the transaction ends. */
    findConnectionForUpdate: async (id: string): Promise<StoredConnection | null> => {
      const row = isUuid(id) ? await rows().where({ id }).forUpdate().first() : undefined;
      return row ? toStoredConnection(row) : null;
    },

    /** The id of the connection with a name; null when the workspace has none. */
    findConnectionId: async (name: string): Promise<string | null> => {
      const row = await rows().where({ name }).first('id');
      return row?.id ?? null;
    },

    /** The connections that have one of these ids or names. */
    listNamed: (request: { ids: string[]; names: string[] }) => listNamed(trx, request),

    /** The name of an agent whose rules name tools of a connection as `name:tool`; null when there is none. */
    findAgentNaming: (name: string): Promise<string | null> => findAgentNaming(trx, name),

    /** Newest first. */
    listConnections: async ({
      cursor,
      limit,
      provider,
    }: ConnectionPageRequest): Promise<Page<Connection>> => {
      const query = rows().orderBy('id', 'desc');
      if (provider !== undefined) void query.where({ provider });
      if (cursor) void query.where('id', '<', cursor);
      return toPage(await query.limit(limit + 1), limit, toConnection);
    },

    /** @throws HoldfastError `NOT_FOUND`; `CONFLICT` for a name that is taken */
    updateConnection: (id: string, values: ConnectionValues): Promise<Connection> =>
      updateConnection(trx, id, values),

    /** Stores new tokens, and leaves `updated_at` as it is: the owner has changed nothing. */
    storeTokens: async (
      id: string,
      values: Pick<ConnectionValues, 'secrets' | 'expiresAt'>,
    ): Promise<void> => {
      await trx('connections').where({ id }).update(toConnectionColumns(values));
    },

    deleteConnection: async (id: string): Promise<void> => {
      await rows().where({ id }).delete();
    },

    /** The name of the connector that owns this connection; null for none. */
    findConnectorName: async (id: string): Promise<string | null> => {
      const row = await trx('connectors')
        .where({ connection_id: id })
        .first<{ name: string } | undefined>('name');
      return row?.name ?? null;
    },

    /** Notes that a connection was used, unless that was noted within the last minute. */
    touchConnection: async (id: string): Promise<void> => {
      await rows()
        .where({ id })
        .whereRaw(`(last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`)
        .update({ last_used_at: trx.fn.now() });
    },
  };
}

/** Selects in the same query whether the provider of a connection is one that its workspace has imported. */
function isImported(trx: Knex): Knex.Raw<{ is_imported: boolean }> {
  return trx.raw(
    `EXISTS (SELECT 1 FROM imported_providers p
     WHERE p.workspace_id = connections.workspace_id AND p.name = connections.provider) AS is_imported`,
  );
}

async function listNamed(
  trx: Knex,
  { ids, names }: { ids: string[]; names: string[] },
): Promise<NamedConnection[]> {
  const found = trx<ConnectionRow>('connections').whereIn('id', ids.filter(isUuid)).orWhereIn('name', names);
  return found.select('id', 'name', 'provider');
}

async function findAgentNaming(trx: Knex, name: string): Promise<string | null> {
  const { rows } = await trx.raw<{ rows: { name: string }[] }>(agentNaming, { prefix: `${name}:` });
  return rows[0]?.name ?? null;
}

const agentNaming = `
SELECT v.name FROM agents a JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.current_version
WHERE a.deleted_at IS NULL AND (
  EXISTS (SELECT 1 FROM jsonb_object_keys(v.rules -> 'toolPolicies') AS k (key) WHERE starts_with(k.key, :prefix))
  OR EXISTS (
    SELECT 1 FROM jsonb_array_elements_text(coalesce(v.rules -> 'toolAllowlist', '[]')) AS e (entry)
    WHERE starts_with(e.entry, :prefix)
  ))
LIMIT 1`;

async function createConnection(
  trx: Knex,
  { id, provider, ownerId, ...values }: NewConnection,
): Promise<Connection> {
  const columns = { id, provider, owner_id: ownerId, ...toConnectionColumns(values) };
  const insert = trx('connections').insert(columns).returning<ConnectionRow[]>('*');
  const [row] = await refuseTakenName(values.name, insert);
  if (!row) throw new Error('an inserted connection did not come back');
  return toConnection(row);
}

async function updateConnection(trx: Knex, id: string, values: ConnectionValues): Promise<Connection> {
  const update = trx('connections')
    .where({ id })
    .update({ ...toConnectionColumns(values), updated_at: trx.fn.now() })
    .returning<ConnectionRow[]>('*');
  const [row] = await refuseTakenName(values.name, update);
  if (!row) throw new HoldfastError('NOT_FOUND', `There is no connection ${id}.`);
  return toConnection(row);
}

async function refuseTakenName<Result>(
  name: string | undefined,
  query: PromiseLike<Result>,
): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new HoldfastError('CONFLICT', `There is a connection named "${name ?? ''}" already.`);
  }
}
