import type { Knex } from 'knex';
import type { Connector } from '../../../domain/connector.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../../platform/database/page.ts';

interface ConnectorRow {
  id: string;
  name: string;
  type: 'mcp';
  connection_id: string;
  endpoint: string;
  auth: JsonObject;
  tools: string[];
  created_at: Date;
}

/** A connector whose connection is stored already. */
type NewConnector = Pick<Connector, 'name' | 'type' | 'connectionId' | 'tools'>;

/** Registered MCP servers of one workspace and the tools of each that agents may use. */
export function createConnectorRepository(trx: Knex) {
  return {
    /** @throws HoldfastError `CONFLICT` for a name that is taken */
    createConnector: (connector: NewConnector): Promise<Connector> => createConnector(trx, connector),

    /** @throws HoldfastError `CONFLICT` like `createConnector` */
    checkName: async (name: string): Promise<void> => {
      const taken = await trx('connectors').where({ name }).first<{ id: string } | undefined>('id');
      if (taken) throw nameTaken(name);
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getConnector: (id: string): Promise<Connector> => getConnector(trx, id),

    /** Those of the connectors that the workspace has, by their ids. */
    findConnectors: async (ids: string[]): Promise<Map<string, Connector>> =>
      new Map((await connectorRows(trx).whereIn('c.id', ids)).map((row) => [row.id, toConnector(row)])),

    /** Newest first. */
    listConnectors: async ({ cursor, limit }: PageRequest): Promise<Page<Connector>> => {
      const query = connectorRows(trx).orderBy('c.id', 'desc');
      if (cursor) void query.where('c.id', '<', cursor);
      return toPage(await query.limit(limit + 1), limit, toConnector);
    },

    /** The connectors of these connections, or all connectors, by the id of their connection. */
    listByConnection: async (connectionIds?: string[]): Promise<Map<string, Connector>> => {
      const query = connectorRows(trx);
      if (connectionIds) void query.whereIn('c.connection_id', connectionIds);
      return new Map((await query).map((row) => [row.connection_id, toConnector(row)]));
    },

    /** Those of the names that a connector or a connection of the workspace has already. */
    findServerNames: async (names: string[]): Promise<Set<string>> => {
      const named = (table: string) => trx(table).whereIn('name', names).select<{ name: string }[]>('name');
      const found = [...(await named('connectors')), ...(await named('connections'))];
      return new Set(found.map(({ name }) => name));
    },

    /**
     * Returns the deleted connector. Agents keep its tools until they are provisioned again.
     * @throws HoldfastError `NOT_FOUND`
     */
    deleteConnector: async (id: string): Promise<Connector> => {
      const connector = await getConnector(trx, id);
      const deleted = await trx('connectors').where({ id }).delete();
      if (deleted === 0) throw connectorNotFound(id);
      return connector;
    },
  };
}

/** Connectors as they are shown, for queries that choose among them by `c`. */
export function connectorRows(trx: Knex): Knex.QueryBuilder<ConnectorRow, ConnectorRow[]> {
  const tools = `(SELECT coalesce(jsonb_agg(t.tool ORDER BY t.position), '[]') FROM connector_tools t
    WHERE t.connector_id = c.id) AS tools`;
  return trx('connectors as c')
    .join('connections as k', 'k.id', 'c.connection_id')
    .select(
      'c.id',
      'c.name',
      'c.type',
      'c.connection_id',
      'c.created_at',
      'k.endpoint',
      'k.auth',
      trx.raw(tools),
    ) as Knex.QueryBuilder<ConnectorRow, ConnectorRow[]>;
}

/** A connector as the API shows it; `auth` is stored masked. */
export function toConnector(row: ConnectorRow): Connector {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    endpoint: row.endpoint,
    auth: row.auth,
    tools: row.tools,
    connectionId: row.connection_id,
    createdAt: row.created_at.toISOString(),
  };
}

/** The error for a connector that the workspace does not have. */
export function connectorNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no connector ${id}.`);
}

async function getConnector(trx: Knex, id: string): Promise<Connector> {
  const row = await connectorRows(trx).where('c.id', id).first();
  if (!row) throw connectorNotFound(id);
  return toConnector(row);
}

async function createConnector(trx: Knex, connector: NewConnector): Promise<Connector> {
  const { name, type, connectionId } = connector;
  const tools = [...new Set(connector.tools)];
  const id = newId();
  const inserted = await trx('connectors')
    .insert({ id, name, type, connection_id: connectionId })
    .onConflict(['workspace_id', 'name'])
    .ignore()
    .returning('id');
  if (inserted.length === 0) throw nameTaken(name);
  const rows = tools.map((tool, position) => ({ tool, connector_id: id, position }));
  if (rows.length > 0) await trx('connector_tools').insert(rows);
  return getConnector(trx, id);
}

function nameTaken(name: string): HoldfastError {
  return new HoldfastError('CONFLICT', `There is a connector "${name}" already.`, { details: { name } });
}
