import type { Connection, ConnectionStatus, RateLimit } from '../../domain/connection.ts';
import type { JsonObject } from '../../domain/json.ts';

/** A row of `connections`. */
export interface ConnectionRow {
  id: string;
  workspace_id: string;
  name: string;
  provider: string;
  endpoint: string | null;
  variables: Record<string, string> | null;
  auth: JsonObject;
  sealed: Buffer | null;
  key_id: string | null;
  status: ConnectionStatus;
  status_reason: string | null;
  rate_limit: RateLimit | null;
  owner_id: string | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
  updated_at: Date;
  refresh_holder: string | null;
  refresh_until: Date | null;
}

/** A connection with its sealed secrets. */
export interface StoredConnection {
  connection: Connection;
  workspaceId: string;
  sealed: Buffer | null;
  /** Whether its workspace has imported its provider. */
  isImported: boolean;
}

/** Maps a row to the connection that the API shows. */
export function toConnection(row: ConnectionRow): Connection {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    endpoint: row.endpoint,
    variables: row.variables ?? {},
    auth: row.auth,
    status: row.status,
    statusReason: row.status_reason,
    rateLimit: row.rate_limit,
    ownerId: row.owner_id,
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Maps a row to a connection with its sealed secrets. */
export function toStoredConnection(row: ConnectionRow & { is_imported?: boolean }): StoredConnection {
  const { workspace_id: workspaceId, sealed, is_imported: isImported = false } = row;
  return { connection: toConnection(row), workspaceId, sealed, isImported };
}

/** Values of a connection to write; those that are left out stay as they are. */
export interface ConnectionValues {
  name?: string;
  endpoint?: string | null;
  variables?: Readonly<Record<string, string>>;
  auth?: JsonObject;
  /** Null deletes the sealed secrets. */
  secrets?: { sealed: Buffer; keyId: string } | null;
  status?: ConnectionStatus;
  statusReason?: string | null;
  rateLimit?: RateLimit | null;
  expiresAt?: Date | null;
}

/** Maps values to the columns that they are written to. */
export function toConnectionColumns(values: ConnectionValues): Partial<Record<keyof ConnectionRow, unknown>> {
  const columns = {
    name: values.name,
    endpoint: values.endpoint,
    variables: values.variables && JSON.stringify(values.variables),
    auth: values.auth && JSON.stringify(values.auth),
    ...(values.secrets === undefined
      ? {}
      : { sealed: values.secrets?.sealed ?? null, key_id: values.secrets?.keyId ?? null }),
    status: values.status,
    status_reason: values.statusReason,
    rate_limit: values.rateLimit && JSON.stringify(values.rateLimit),
    expires_at: values.expiresAt,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}
